package org.mongolocks.example.quarkus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.mongolocks.ClientClosedException;

/** Runs the application, and checks that docs/quarkus.md shows it. */
@QuarkusTest
class QuarkusPageTest {
    @Inject
    Billing billing;

    @Inject
    Event<ShutdownEvent> shutdown;

    @Test
    void invoiceIsBilledUnderItsLockUntilTheShutdown() throws Exception {
        long first = billing.bill("invoice-42");
        assertEquals(first + 1, billing.bill("invoice-42"));

        shutdown.fire(new ShutdownEvent());

        assertThrows(ClientClosedException.class, () -> billing.bill("invoice-42"));
    }

    @Test
    void pageShowsTheSources() throws Exception {
        String page = Files.readString(Path.of("..", "..", "docs", "quarkus.md"));
        for (String type : new String[] {"Locks", "Billing"}) {
            String source = Files.readString(
                    Path.of("src", "main", "java", "org", "mongolocks", "example", "quarkus", type + ".java"));
            assertTrue(page.contains(source.substring(source.indexOf("import "))), type);
        }
    }
}
