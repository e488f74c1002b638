package org.mongolocks.example.migrations.shedlock;

import com.mongodb.client.MongoClient;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import org.mongolocks.shedlock.MongoLocksLockProvider;
import org.mongolocks.sync.LockClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableSchedulerLock(defaultLockAtMostFor = "PT10M")
class NewRelease {
    @Bean
    LockClient locks(MongoClient mongo) {
        return LockClient.create(mongo, "shop");
    }

    @Bean
    LockProvider lockProvider(LockClient locks) {
        return new MongoLocksLockProvider(locks);
    }
}
