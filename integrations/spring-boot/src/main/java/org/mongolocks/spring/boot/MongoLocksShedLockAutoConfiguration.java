package org.mongolocks.spring.boot;

import net.javacrumbs.shedlock.core.LockProvider;
import org.mongolocks.shedlock.MongoLocksLockProvider;
import org.mongolocks.sync.LockClient;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration of ShedLock's {@link LockProvider} on the {@link LockClient} bean, where
 * {@code mongo-locks-shedlock-provider} is on the class path and the application has no provider of its own.
 */
@AutoConfiguration(after = MongoLocksAutoConfiguration.class)
@ConditionalOnClass({LockProvider.class, MongoLocksLockProvider.class, LockClient.class})
@ConditionalOnSingleCandidate(LockClient.class)
public final class MongoLocksShedLockAutoConfiguration {
    /** Created by Spring. */
    MongoLocksShedLockAutoConfiguration() {}

    /** Lazy, so that it does not build a client that is lazy itself. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean(LockProvider.class)
    MongoLocksLockProvider mongoLocksLockProvider(LockClient locks) {
        return new MongoLocksLockProvider(locks);
    }
}
