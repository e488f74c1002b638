package org.mongolocks.example.micronaut;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.micronaut.context.ApplicationContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** Runs the application, and checks that docs/micronaut.md shows it. */
class MicronautPageTest {
    @Test
    void invoiceIsBilledUnderItsLock() throws Exception {
        try (ApplicationContext context = ApplicationContext.run()) {
            Billing billing = context.getBean(Billing.class);

            long first = billing.bill("invoice-42");

            assertEquals(first + 1, billing.bill("invoice-42"));
        }
    }

    @Test
    void shutdownReleasesTheLocks() throws Exception {
        HeldLock held;
        try (ApplicationContext context = ApplicationContext.run()) {
            held = context.getBean(LockClient.class)
                    .acquire(LockRequest.of("invoice-43", Duration.ofMinutes(1)));
        }

        assertFalse(held.isHeld());
        try (MongoClient mongo = MongoClients.create(System.getenv("MONGODB_URI"));
                LockClient other = LockClient.builder(mongo, "shop").build()) {
            assertFalse(other.inspect("invoice-43").orElseThrow().isHeld());
        }
    }

    @Test
    void pageShowsTheSources() throws Exception {
        String page = Files.readString(Path.of("..", "..", "docs", "micronaut.md"));
        for (String type : new String[] {"Locks", "Billing"}) {
            String source = Files.readString(
                    Path.of("src", "main", "java", "org", "mongolocks", "example", "micronaut", type + ".java"));
            assertTrue(page.contains(source.substring(source.indexOf("import "))), type);
        }
    }
}
