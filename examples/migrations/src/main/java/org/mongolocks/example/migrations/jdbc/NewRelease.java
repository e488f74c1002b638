package org.mongolocks.example.migrations.jdbc;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import org.mongolocks.LockRequest;
import org.mongolocks.spring.integration.MongoLockRegistry;
import org.mongolocks.sync.LockClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class NewRelease {
    @Bean
    LockClient locks(MongoClient mongo) {
        return LockClient.builder(mongo, "shop")
                .strategy("findandmodify-counter")
                .build();
    }

    @Bean
    MongoLockRegistry lockRegistry(LockClient locks) {
        return new MongoLockRegistry(
                locks, key -> LockRequest.of(key, Duration.ofSeconds(30)).keepAlive());
    }
}
