package org.mongolocks.example.migrations.jdbc;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import javax.sql.DataSource;
import org.mongolocks.spring.integration.MongoLockRegistry;
import org.mongolocks.sync.LockClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.jdbc.lock.LockRepository;
import org.springframework.integration.support.locks.LockRegistry;

@Configuration(proxyBeanMethods = false)
class BothLocksRelease {
    @Bean
    DefaultLockRepository lockRepository(DataSource dataSource) {
        return new DefaultLockRepository(dataSource);
    }

    @Bean
    LockClient locks(MongoClient mongo) {
        return LockClient.create(mongo, "shop");
    }

    // begin
    @Bean
    LockRegistry<Lock> lockRegistry(LockRepository repository, LockClient locks) {
        JdbcLockRegistry first = new JdbcLockRegistry(repository, Duration.ofMinutes(10));
        MongoLockRegistry second = new MongoLockRegistry(locks);
        return key -> new BothLocks(first.obtain(key), second.obtain(key));
    }
    // end
}
