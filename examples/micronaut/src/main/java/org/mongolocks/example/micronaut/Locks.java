package org.mongolocks.example.micronaut;

import com.mongodb.client.MongoClient;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import org.mongolocks.sync.LockClient;

/** The lock client of the application, which is closed before the driver's. */
@Factory
class Locks {
    @Singleton
    @Bean(preDestroy = "close")
    LockClient locks(MongoClient mongo) {
        return LockClient.create(mongo, "shop");
    }
}
