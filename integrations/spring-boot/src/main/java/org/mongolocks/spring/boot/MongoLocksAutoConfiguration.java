package org.mongolocks.spring.boot;

import com.mongodb.client.MongoClient;
import org.mongolocks.spring.boot.LockClientFactory.Target;
import org.mongolocks.spring.boot.LockClientFactory.Wanted;
import org.mongolocks.sync.LockClient;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration of a {@link LockClient} from the {@link MongoClient} bean of the application, unless the
 * application has one of its own.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration",
            // Spring Boot 3
            "org.springframework.boot.autoconfigure.mongo.MongoAutoConfiguration"
        })
@ConditionalOnClass({MongoClient.class, LockClient.class})
@ConditionalOnBean(MongoClient.class)
@ConditionalOnMissingBean(LockClient.class)
@ConditionalOnBooleanProperty(
        name = {"mongo-locks.enabled", "mongo-locks.sync.enabled"},
        matchIfMissing = true)
@Import(LockClientFactoryConfiguration.class)
public final class MongoLocksAutoConfiguration {
    private static final String BEAN = "lockClient";
    private static final String LAZY = "mongo-locks.lazy";
    /** The bean that Spring Boot configures. */
    private static final String MONGO_CLIENT_OF_SPRING_BOOT = "mongo";

    /** Created by Spring. */
    MongoLocksAutoConfiguration() {}

    @Bean(BEAN)
    @ConditionalOnBooleanProperty(name = LAZY, havingValue = false, matchIfMissing = true)
    LockClient eagerLockClient(LockClientFactory factory, MongoLocksProperties properties) {
        return build(factory, properties);
    }

    @Bean(BEAN)
    @Lazy
    @ConditionalOnBooleanProperty(LAZY)
    LockClient lazyLockClient(LockClientFactory factory, MongoLocksProperties properties) {
        return build(factory, properties);
    }

    private static LockClient build(LockClientFactory factory, MongoLocksProperties properties) {
        Target<MongoClient> target = factory.target(
                new Wanted<>(
                        MongoClient.class,
                        "mongo-locks.sync.mongo-client",
                        properties.sync().mongoClient(),
                        MONGO_CLIENT_OF_SPRING_BOOT),
                BEAN);
        return factory.configure(LockClient.builder(target.mongo(), target.database()), BEAN)
                .build();
    }
}
