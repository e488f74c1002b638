package org.mongolocks.example.quarkus;

import com.mongodb.client.MongoClient;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.mongolocks.sync.LockClient;

/** The lock client of the application, which is closed before the driver's. */
public class Locks {
    @Produces
    @Singleton
    LockClient locks(MongoClient mongo) {
        return LockClient.create(mongo, "shop");
    }

    void close(@Observes ShutdownEvent event, LockClient locks) {
        locks.close(Duration.ofSeconds(20)); // running work has that long
    }
}
