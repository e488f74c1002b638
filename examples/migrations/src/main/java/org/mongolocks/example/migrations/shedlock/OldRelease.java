package org.mongolocks.example.migrations.shedlock;

import com.mongodb.client.MongoClient;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.mongo.MongoLockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableSchedulerLock(defaultLockAtMostFor = "PT10M")
class OldRelease {
    // begin
    @Bean
    LockProvider lockProvider(MongoClient mongo) {
        return new MongoLockProvider(mongo.getDatabase("shop"));
    }
    // end
}
