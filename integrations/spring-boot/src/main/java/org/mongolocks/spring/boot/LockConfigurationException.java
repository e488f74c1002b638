package org.mongolocks.spring.boot;

import java.io.Serial;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** An exception thrown when the beans or keys of the application do not determine a lock client. */
final class LockConfigurationException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String description;
    private final String action;

    /**
     * Creates an exception.
     *
     * @param description what is missing or ambiguous, and what was found
     * @param action what the developer can do
     */
    LockConfigurationException(String description, String action) {
        super(description + ". " + action);
        this.description = description;
        this.action = action;
    }

    /** Reports what the developer can do. */
    static final class Analyzer extends AbstractFailureAnalyzer<LockConfigurationException> {
        @Override
        protected FailureAnalysis analyze(Throwable failure, LockConfigurationException cause) {
            return new FailureAnalysis(cause.description, cause.action, failure);
        }
    }
}
