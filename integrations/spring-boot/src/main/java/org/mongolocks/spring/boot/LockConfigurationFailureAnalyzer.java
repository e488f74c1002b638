package org.mongolocks.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports what to do where the beans or keys of the application do not determine a lock client. */
final class LockConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<LockConfigurationException> {
    @Override
    protected FailureAnalysis analyze(Throwable failure, LockConfigurationException cause) {
        return new FailureAnalysis(cause.description(), cause.action(), failure);
    }
}
