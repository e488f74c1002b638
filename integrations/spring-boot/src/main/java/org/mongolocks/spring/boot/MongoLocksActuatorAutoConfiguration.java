package org.mongolocks.spring.boot;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of the health indicator {@code mongoLocks} and the actuator endpoint {@code locks}, on the
 * synchronous client or else on the reactive one. A client that is built lazily is built at the first call.
 */
@AutoConfiguration(after = {MongoLocksAutoConfiguration.class, MongoLocksReactiveAutoConfiguration.class})
@Import({
    ActuatorConfigurations.SyncOperations.class,
    ActuatorConfigurations.ReactiveOperations.class,
    ActuatorConfigurations.HealthConfiguration.class,
    ActuatorConfigurations.EndpointConfiguration.class
})
public final class MongoLocksActuatorAutoConfiguration {
    /** Created by Spring. */
    MongoLocksActuatorAutoConfiguration() {}
}
