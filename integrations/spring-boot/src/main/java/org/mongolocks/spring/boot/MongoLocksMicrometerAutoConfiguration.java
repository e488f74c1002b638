package org.mongolocks.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockObserver;
import org.mongolocks.micrometer.LockMetrics;
import org.mongolocks.spring.boot.LockClientFactory.ClientMeters;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the meters of the auto-configured clients, where {@code mongo-locks-micrometer} is on the class
 * path, the application has a {@link MeterRegistry} and no {@link LockMetrics} bean of its own. The tag {@code client}
 * is the name of the bean of the client.
 */
@AutoConfiguration(
        before = {MongoLocksAutoConfiguration.class, MongoLocksReactiveAutoConfiguration.class},
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            // Spring Boot 3
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, LockMetrics.class})
@ConditionalOnSingleCandidate(MeterRegistry.class)
@ConditionalOnMissingBean(LockMetrics.class)
public final class MongoLocksMicrometerAutoConfiguration {
    /** Created by Spring. */
    MongoLocksMicrometerAutoConfiguration() {}

    @Bean
    ClientMeters mongoLocksClientMeters(MeterRegistry registry) {
        return new RegisteredMeters(registry);
    }

    /** Keeps the meters of a client whose build failed, as a lazy client may be built again. */
    private static final class RegisteredMeters implements ClientMeters, AutoCloseable {
        private final MeterRegistry registry;
        private final Map<String, LockMetrics> metrics = new ConcurrentHashMap<>();

        RegisteredMeters(MeterRegistry registry) {
            this.registry = registry;
        }

        @Override
        public LockObserver observe(LockClientBuilder<?> builder, String client) {
            LockMetrics ofClient = metrics.computeIfAbsent(client, name -> LockMetrics.of(registry, name));
            builder.onTokenWentBack(ofClient);
            return ofClient;
        }

        @Override
        public void close() {
            metrics.values().forEach(LockMetrics::close);
        }
    }
}
