package org.mongolocks.example.invoices;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import org.mongolocks.sync.LockClient;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** One instance of the application. The starter provides the lock client. */
@SpringBootApplication(proxyBeanMethods = false)
public class InvoicesApplication {
    /**
     * Starts an instance.
     *
     * @param args properties such as {@code --server.port=8081}
     */
    public static void main(String[] args) {
        SpringApplication.run(InvoicesApplication.class, args);
    }

    @Bean
    Invoices invoices(MongoClient mongo, @Value("${mongo-locks.database}") String database) {
        return new Invoices(mongo.getDatabase(database));
    }

    @Bean
    Billing billing(
            Invoices invoices,
            LockClient locks,
            @Value("${invoices.instance}") String instance,
            @Value("${invoices.work}") Duration work) {
        return new Billing(invoices, locks, instance, work);
    }
}
