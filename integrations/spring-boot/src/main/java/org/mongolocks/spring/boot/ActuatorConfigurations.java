package org.mongolocks.spring.boot;

import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.sync.LockClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The configurations that {@link MongoLocksActuatorAutoConfiguration} imports, in its order. */
final class ActuatorConfigurations {
    private ActuatorConfigurations() {}

    /** The operations on the synchronous client. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(LockClient.class)
    @ConditionalOnSingleCandidate(LockClient.class)
    static class SyncOperations {
        @Bean
        LockOperations mongoLocksSyncOperations(ObjectProvider<LockClient> client) {
            return new LockOperations.OnSyncClient(client);
        }
    }

    /** The operations on the reactive client. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ReactiveLockClient.class)
    @ConditionalOnSingleCandidate(ReactiveLockClient.class)
    @ConditionalOnMissingBean(LockOperations.class)
    static class ReactiveOperations {
        @Bean
        LockOperations mongoLocksReactiveOperations(ObjectProvider<ReactiveLockClient> client) {
            return new LockOperations.OnReactiveClient(client);
        }
    }

    /** The health indicator. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({AbstractHealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    @ConditionalOnBean(LockOperations.class)
    @ConditionalOnEnabledHealthIndicator("mongo-locks")
    static class HealthConfiguration {
        @Bean
        @ConditionalOnMissingBean(name = {"mongoLocksHealthIndicator", "mongoLocksHealthContributor"})
        LocksHealthIndicator mongoLocksHealthIndicator(LockOperations locks) {
            return new LocksHealthIndicator(locks);
        }
    }

    /** The endpoint. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    @ConditionalOnBean(LockOperations.class)
    @ConditionalOnAvailableEndpoint(LocksEndpoint.class)
    static class EndpointConfiguration {
        @Bean
        @ConditionalOnMissingBean
        LocksEndpoint locksEndpoint(LockOperations locks) {
            return new LocksEndpoint(locks);
        }

        @Bean
        @ConditionalOnMissingBean
        LocksEndpointWebExtension locksEndpointWebExtension(LocksEndpoint endpoint) {
            return new LocksEndpointWebExtension(endpoint);
        }
    }
}
