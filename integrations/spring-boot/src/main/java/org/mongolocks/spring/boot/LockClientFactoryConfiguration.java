package org.mongolocks.spring.boot;

import org.mongolocks.spring.boot.LockClientFactory.ConnectionDatabase;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The beans that both clients need; imported only where a client is auto-configured. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MongoLocksProperties.class)
class LockClientFactoryConfiguration {
    @Bean
    LockClientFactory mongoLocksClientFactory(
            MongoLocksProperties properties, ConfigurableListableBeanFactory beans, Environment environment) {
        return new LockClientFactory(properties, beans, environment);
    }

    @Bean
    LockClientShutdown mongoLocksShutdown(MongoLocksProperties properties) {
        return new LockClientShutdown(properties.drainTimeout());
    }

    /** Spring Boot's own support of MongoDB is not always there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MongoConnectionDetails.class)
    static class ConnectionDetailsConfiguration {
        @Bean
        @ConditionalOnBean(MongoConnectionDetails.class)
        ConnectionDatabase mongoLocksConnectionDatabase(MongoConnectionDetails details) {
            return () -> details.getConnectionString().getDatabase();
        }
    }
}
