package org.mongolocks.spring.boot;

import com.mongodb.reactivestreams.client.MongoClient;
import java.util.Objects;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.spring.boot.LockClientFactory.Target;
import org.mongolocks.spring.boot.LockClientFactory.Wanted;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration of a {@link ReactiveLockClient} from the {@link MongoClient} bean of the application, unless the
 * application has one of its own. The thread that creates the bean waits for the server, so it must be one that may
 * block.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.mongodb.autoconfigure.MongoReactiveAutoConfiguration",
            // Spring Boot 3
            "org.springframework.boot.autoconfigure.mongo.MongoReactiveAutoConfiguration"
        })
@ConditionalOnClass({MongoClient.class, ReactiveLockClient.class})
@ConditionalOnBean(MongoClient.class)
@ConditionalOnMissingBean(ReactiveLockClient.class)
@ConditionalOnBooleanProperty(
        name = {"mongo-locks.enabled", "mongo-locks.reactive.enabled"},
        matchIfMissing = true)
@Import(LockClientFactoryConfiguration.class)
public final class MongoLocksReactiveAutoConfiguration {
    private static final String BEAN = "reactiveLockClient";
    private static final String LAZY = "mongo-locks.lazy";
    /** The bean that Spring Boot configures. */
    private static final String MONGO_CLIENT_OF_SPRING_BOOT = "reactiveStreamsMongoClient";

    /** Created by Spring. */
    MongoLocksReactiveAutoConfiguration() {}

    @Bean(BEAN)
    @ConditionalOnBooleanProperty(name = LAZY, havingValue = false, matchIfMissing = true)
    ReactiveLockClient eagerReactiveLockClient(LockClientFactory factory, MongoLocksProperties properties) {
        return build(factory, properties);
    }

    @Bean(BEAN)
    @Lazy
    @ConditionalOnBooleanProperty(LAZY)
    ReactiveLockClient lazyReactiveLockClient(LockClientFactory factory, MongoLocksProperties properties) {
        return build(factory, properties);
    }

    private static ReactiveLockClient build(LockClientFactory factory, MongoLocksProperties properties) {
        Target<MongoClient> target = factory.target(
                new Wanted<>(
                        MongoClient.class,
                        "mongo-locks.reactive.mongo-client",
                        properties.reactive().mongoClient(),
                        MONGO_CLIENT_OF_SPRING_BOOT),
                BEAN);
        return Objects.requireNonNull(
                factory.configure(ReactiveLockClient.builder(target.mongo(), target.database()), BEAN)
                        .build()
                        .block(),
                "The builder emitted no client");
    }
}
