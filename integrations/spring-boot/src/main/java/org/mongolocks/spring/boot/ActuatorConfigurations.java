package org.mongolocks.spring.boot;

import java.util.Objects;
import java.util.Optional;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
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
import reactor.core.publisher.Mono;

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
            return new OnSyncClient(client);
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
            return new OnReactiveClient(client);
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

    /**
     * Operations on the synchronous client.
     *
     * @param client the client
     */
    private record OnSyncClient(ObjectProvider<LockClient> client) implements LockOperations {
        @Override
        public String strategyName() {
            return client.getObject().strategy().name();
        }

        @Override
        public LockPage list(LockQuery query) {
            return kept(() -> client.getObject().list(query));
        }

        @Override
        public Optional<LockSnapshot> inspect(LockName name) {
            return kept(() -> client.getObject().inspect(name));
        }

        @Override
        public boolean forceRelease(LockSnapshot seen) {
            return kept(() -> client.getObject().forceRelease(seen));
        }

        private static <R> R kept(Operation<R> operation) {
            try {
                return operation.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new LockException("The thread was interrupted while it waited for the server", e);
            }
        }

        /**
         * A call of the client.
         *
         * @param <R> its result
         */
        @FunctionalInterface
        private interface Operation<R> {
            R run() throws InterruptedException;
        }
    }

    /**
     * Operations on the reactive client.
     *
     * @param client the client
     */
    private record OnReactiveClient(ObjectProvider<ReactiveLockClient> client) implements LockOperations {
        @Override
        public String strategyName() {
            return client.getObject().strategy().name();
        }

        @Override
        public LockPage list(LockQuery query) {
            return value(client.getObject().list(query));
        }

        @Override
        public Optional<LockSnapshot> inspect(LockName name) {
            return client.getObject().inspect(name).blockOptional();
        }

        @Override
        public boolean forceRelease(LockSnapshot seen) {
            return value(client.getObject().forceRelease(seen));
        }

        private static <R> R value(Mono<R> operation) {
            return Objects.requireNonNull(operation.block(), "The lock client emitted nothing");
        }
    }
}
