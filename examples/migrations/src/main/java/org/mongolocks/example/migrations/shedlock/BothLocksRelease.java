package org.mongolocks.example.migrations.shedlock;

import com.mongodb.client.MongoClient;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.mongo.MongoLockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import org.mongolocks.shedlock.MongoLocksLockProvider;
import org.mongolocks.sync.LockClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableSchedulerLock(defaultLockAtMostFor = "PT10M")
class BothLocksRelease {
    @Bean
    LockClient locks(MongoClient mongo) {
        return LockClient.create(mongo, "shop");
    }

    // begin
    @Bean
    LockProvider lockProvider(MongoClient mongo, LockClient locks) {
        return new BothLockProviders(
                new MongoLockProvider(mongo.getDatabase("shop")), new MongoLocksLockProvider(locks));
    }
    // end
}
