package org.mongolocks.spring.boot;

import net.javacrumbs.shedlock.core.LockProvider;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.shedlock.MongoLocksLockProvider;
import org.mongolocks.shedlock.ReactiveMongoLocksLockProvider;
import org.mongolocks.sync.LockClient;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration of ShedLock's {@link LockProvider}, where {@code mongo-locks-shedlock-provider} is on the class
 * path and the application has no provider of its own: on the {@link LockClient} bean, or where there is none on the
 * {@link ReactiveLockClient} bean.
 */
@AutoConfiguration(after = {MongoLocksAutoConfiguration.class, MongoLocksReactiveAutoConfiguration.class})
@ConditionalOnClass({LockProvider.class, MongoLocksLockProvider.class})
@ConditionalOnMissingBean(LockProvider.class)
public final class MongoLocksShedLockAutoConfiguration {
    /** Created by Spring. */
    MongoLocksShedLockAutoConfiguration() {}

    /** The provider on the synchronous client. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(LockClient.class)
    @ConditionalOnSingleCandidate(LockClient.class)
    static class OnSyncClient {
        /** Lazy, so that it does not build a client that is lazy itself. */
        @Bean
        @Lazy
        MongoLocksLockProvider mongoLocksLockProvider(LockClient locks) {
            return new MongoLocksLockProvider(locks);
        }
    }

    /** The provider of an application that has only the reactive client. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ReactiveLockClient.class)
    @ConditionalOnSingleCandidate(ReactiveLockClient.class)
    @ConditionalOnMissingBean(type = "org.mongolocks.sync.LockClient")
    static class OnReactiveClient {
        /** Lazy for the same reason. */
        @Bean
        @Lazy
        ReactiveMongoLocksLockProvider mongoLocksLockProvider(ReactiveLockClient locks) {
            return new ReactiveMongoLocksLockProvider(locks);
        }
    }
}
