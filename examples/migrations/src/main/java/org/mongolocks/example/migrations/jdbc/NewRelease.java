package org.mongolocks.example.migrations.jdbc;

import com.mongodb.client.MongoClient;
import org.mongolocks.spring.integration.MongoLockRegistry;
import org.mongolocks.sync.LockClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class NewRelease {
    @Bean
    LockClient locks(MongoClient mongo) {
        return LockClient.create(mongo, "shop");
    }

    @Bean
    MongoLockRegistry lockRegistry(LockClient locks) {
        return new MongoLockRegistry(locks);
    }
}
