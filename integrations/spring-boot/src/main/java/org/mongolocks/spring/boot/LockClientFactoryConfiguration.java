package org.mongolocks.spring.boot;

import com.mongodb.ConnectionString;
import java.lang.reflect.Method;
import java.util.Objects;
import org.mongolocks.spring.boot.LockClientFactory.ConnectionDatabase;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The beans that both clients need; imported only where a client is auto-configured. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MongoLocksProperties.class)
class LockClientFactoryConfiguration {
    @Bean
    LockClientFactory mongoLocksClientFactory(
            MongoLocksProperties properties, ConfigurableListableBeanFactory beans, Environment environment) {
        return new LockClientFactory(properties, beans, environment);
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

    /** The same type in Spring Boot 3, where it has another package; keys come before it there too. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = SpringBoot3Configuration.DETAILS)
    static class SpringBoot3Configuration {
        static final String DETAILS = "org.springframework.boot.autoconfigure.mongo.MongoConnectionDetails";

        @Bean
        @ConditionalOnBean(type = DETAILS)
        ConnectionDatabase mongoLocksConnectionDatabase(ConfigurableListableBeanFactory beans, Environment keys) {
            return () -> {
                String overriding = keys.getProperty("spring.data.mongodb.database");
                return overriding == null ? connection(beans).getDatabase() : overriding;
            };
        }

        private static ConnectionString connection(ConfigurableListableBeanFactory beans) {
            Class<?> type = ClassUtils.resolveClassName(DETAILS, beans.getBeanClassLoader());
            Method connection = Objects.requireNonNull(ReflectionUtils.findMethod(type, "getConnectionString"));
            return (ConnectionString)
                    Objects.requireNonNull(ReflectionUtils.invokeMethod(connection, beans.getBean(type)));
        }
    }
}
