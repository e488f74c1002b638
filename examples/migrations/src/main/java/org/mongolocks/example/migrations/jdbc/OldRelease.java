package org.mongolocks.example.migrations.jdbc;

import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.jdbc.lock.LockRepository;

@Configuration(proxyBeanMethods = false)
class OldRelease {
    // begin
    @Bean
    DefaultLockRepository lockRepository(DataSource dataSource) {
        return new DefaultLockRepository(dataSource);
    }

    @Bean
    JdbcLockRegistry lockRegistry(LockRepository repository) {
        return new JdbcLockRegistry(repository, Duration.ofMinutes(10));
    }
    // end
}
