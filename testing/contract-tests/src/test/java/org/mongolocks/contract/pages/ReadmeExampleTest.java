package org.mongolocks.contract.pages;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockRequest;
import org.mongolocks.StaleTokenException;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.contract.setup.ServerFinder;
import org.mongolocks.sync.FencedCollection;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/**
 * Runs the example of the README, and checks that the README shows it. Always on the embedded server, because the database
 * of the example may be in use on another.
 */
class ReadmeExampleTest {
    private final MongoClient mongo =
            DriverClients.shared(ServerFinder.embedded().uri()).sync();
    private final MongoCollection<Document> invoices = mongo.getDatabase("shop").getCollection("invoices");

    @BeforeEach
    void writeInvoice() {
        mongo.getDatabase("shop").drop();
        invoices.insertOne(new Document("_id", 42).append("state", "open"));
    }

    @AfterEach
    void dropDatabase() {
        mongo.getDatabase("shop").drop();
    }

    @Test
    void theExampleBillsTheInvoiceOnce() throws InterruptedException {
        bill();

        Document invoice = invoices.find(eq("_id", 42)).first();
        assertThat(invoice).containsEntry("state", "billed").containsEntry("fence", 1L);
    }

    @Test
    void exampleThrowsWhenTheLockIsContended() throws InterruptedException {
        try (LockClient locks = LockClient.builder(mongo, "shop")
                        .strategy("findandmodify-counter")
                        .build();
                HeldLock other = locks.tryAcquire(LockRequest.of("invoice-42", Duration.ofSeconds(30)))
                        .orElseThrow()) {
            assertThatExceptionOfType(LockContendedException.class).isThrownBy(this::bill);
            assertThat(other.isHeld()).isTrue();
        }
        assertThat(invoices.find(eq("_id", 42)).first()).containsEntry("state", "open");
    }

    @Test
    void theExampleDoesNotReportARefusedWriteAsDone() {
        invoices.updateOne(eq("_id", 42), set("fence", 999L));

        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(this::bill);
        assertThat(invoices.find(eq("_id", 42)).first()).containsEntry("state", "open");
    }

    @Test
    void theReadmeShowsThisExample() throws IOException {
        String source = Files.readString(
                Path.of("src", "test", "java", "org", "mongolocks", "contract", "pages", "ReadmeExampleTest.java"));
        String example = source.substring(source.indexOf("// begin\n") + 9, source.indexOf("        // end\n"));

        assertThat(withoutSpaces(Files.readString(Path.of("..", "..", "README.md"))))
                .contains(withoutSpaces(example));
    }

    /** Line breaks differ between the formatted code and the document. */
    private static String withoutSpaces(String text) {
        return text.replaceAll("\\s", "");
    }

    private void bill() throws InterruptedException {
        // begin
        try (LockClient locks = LockClient.builder(mongo, "shop")
                .strategy("findandmodify-counter")
                .build()) { // one client for the whole application
            LockRequest request = LockRequest.of("invoice-42", Duration.ofSeconds(30));
            locks.withLock(
                    request,
                    lock -> { // throws LockContendedException if another client holds the lock
                        FencedCollection<Document> fenced = FencedCollection.of(invoices, lock);
                        // after touch the invoice refuses smaller tokens; update writes unless it has seen a larger one
                        if (fenced.touch(eq("_id", 42)).isEmpty()
                                || !fenced.update(eq("_id", 42), set("state", "billed"))) {
                            throw new IllegalStateException("invoice 42 is missing");
                        }
                    });
        }
        // end
    }
}
