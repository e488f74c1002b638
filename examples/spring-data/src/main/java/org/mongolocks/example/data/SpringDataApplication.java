package org.mongolocks.example.data;

import com.mongodb.ReadConcern;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.resilience.annotation.EnableResilientMethods;

/** An application with Spring Data and the starter of this library. */
@EnableResilientMethods // for @Retryable
@SpringBootApplication(proxyBeanMethods = false)
class SpringDataApplication {
    /** Spring Boot defines none. Without options a commit has the default concern of the server, w:1 on MongoDB 4.4. */
    @Bean
    MongoTransactionManager transactionManager(MongoDatabaseFactory factory) {
        TransactionOptions durable = TransactionOptions.builder()
                .readConcern(ReadConcern.SNAPSHOT)
                .writeConcern(WriteConcern.MAJORITY.withJournal(true))
                .build();
        return new MongoTransactionManager(factory, durable);
    }
}
