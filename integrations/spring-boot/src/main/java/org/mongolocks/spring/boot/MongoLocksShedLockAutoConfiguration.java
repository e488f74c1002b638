package org.mongolocks.spring.boot;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import net.javacrumbs.shedlock.core.LockProvider;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.shedlock.MongoLocksLockProvider;
import org.mongolocks.shedlock.ReactiveMongoLocksLockProvider;
import org.mongolocks.sync.LockClient;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
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
@ConditionalOnBooleanProperty(name = "mongo-locks.enabled", matchIfMissing = true)
public final class MongoLocksShedLockAutoConfiguration {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    /** Created by Spring. */
    MongoLocksShedLockAutoConfiguration() {}

    /** Logs at start which providers ShedLock uses: one of the application may be a leftover of a migration. */
    @Bean
    SmartInitializingSingleton mongoLocksShedLockReport(ConfigurableListableBeanFactory beans) {
        return () -> {
            for (String name : beans.getBeanNamesForType(LockProvider.class, true, false)) {
                report(name, String.valueOf(beans.getType(name, false)));
            }
        };
    }

    private static void report(String name, String type) {
        if (type.contains(MongoLocksLockProvider.class.getPackageName())) {
            LOG.log(INFO, "ShedLock uses the lock provider '" + name + "' of mongo-locks: " + type);
        } else {
            LOG.log(
                    WARNING,
                    "ShedLock uses the lock provider '" + name + "', which is not of mongo-locks: " + type
                            + ". Locks of mongo-locks do not exclude its locks; remove that bean to use those of mongo-locks");
        }
    }

    /** The provider on the synchronous client. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(LockClient.class)
    @ConditionalOnMissingBean(LockProvider.class)
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
    @ConditionalOnMissingBean(value = LockProvider.class, type = "org.mongolocks.sync.LockClient")
    static class OnReactiveClient {
        /** Lazy for the same reason. */
        @Bean
        @Lazy
        ReactiveMongoLocksLockProvider mongoLocksLockProvider(ReactiveLockClient locks) {
            return new ReactiveMongoLocksLockProvider(locks);
        }
    }
}
