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
import java.util.concurrent.atomic.AtomicLong;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.Lease;
import org.mongolocks.LockContendedException;
import org.mongolocks.StaleTokenException;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.sync.FencedCollection;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/**
 * Runs the examples of the README, and checks that the README shows them. Always on the embedded server, because the database
 * of the examples may be in use on another.
 */
class ReadmeExampleTest {
    private final MongoClient mongo =
            DriverClients.shared(ServerFinder.embedded().uri()).sync();
    private final MongoCollection<Document> invoices = mongo.getDatabase("shop").getCollection("invoices");

    private final AtomicLong billed = new AtomicLong();

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
    void theFirstExampleBillsUnderTheLock() throws InterruptedException {
        first();

        assertThat(billed).hasValueGreaterThan(0);
    }

    @Test
    void theSecondExampleBillsTheInvoiceOnce() throws InterruptedException {
        second();

        Document invoice = invoices.find(eq("_id", 42)).first();
        assertThat(invoice).containsEntry("state", "billed").containsKey("fence");
    }

    @Test
    void bothThrowWhenTheLockIsContended() throws InterruptedException {
        try (LockClient locks = LockClient.create(mongo, "shop");
                HeldLock other = locks.acquire("invoice-42")) {
            assertThatExceptionOfType(LockContendedException.class).isThrownBy(this::first);
            assertThatExceptionOfType(LockContendedException.class).isThrownBy(this::second);
            assertThat(other.isHeld()).isTrue();
        }
        assertThat(billed).hasValue(0);
        assertThat(invoices.find(eq("_id", 42)).first()).containsEntry("state", "open");
    }

    @Test
    void theSecondDoesNotReportARefusedWriteAsDone() {
        invoices.updateOne(eq("_id", 42), set("fence", Lease.MAX_RAISED_TOKEN));

        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(this::second);
        assertThat(invoices.find(eq("_id", 42)).first()).containsEntry("state", "open");
    }

    @ParameterizedTest
    @ValueSource(strings = {"first", "second"})
    void theReadmeShowsTheExample(String which) throws IOException {
        String source = Files.readString(
                Path.of("src", "test", "java", "org", "mongolocks", "contract", "pages", "ReadmeExampleTest.java"));
        String begin = "// begin " + which + "\n";
        String rest = source.substring(source.indexOf(begin) + begin.length());

        assertThat(withoutSpaces(Files.readString(Path.of("..", "..", "README.md"))))
                .contains(withoutSpaces(rest.substring(0, rest.indexOf("// end\n"))));
    }

    /** Line breaks differ between the formatted code and the document. */
    private static String withoutSpaces(String text) {
        return text.replaceAll("\\s", "");
    }

    private void first() throws InterruptedException {
        // begin first
        try (LockClient locks = LockClient.create(mongo, "shop")) { // one client for the whole application
            locks.withLock("invoice-42", lock -> bill(42, lock.fencingToken()));
        }
        // end
    }

    private void second() throws InterruptedException {
        try (LockClient locks = LockClient.create(mongo, "shop")) {
            // begin second
            locks.withLock("invoice-42", lock -> {
                FencedCollection<Document> fenced = FencedCollection.of(invoices, lock); // a MongoCollection<Document>
                // after touch the invoice refuses smaller tokens; update writes unless it has seen a larger one
                if (fenced.touch(eq("_id", 42)).isEmpty() || !fenced.update(eq("_id", 42), set("state", "billed"))) {
                    throw new IllegalStateException("invoice 42 is missing");
                }
            });
            // end
        }
    }

    private void bill(int number, long token) {
        assertThat(number).isEqualTo(42);
        billed.set(token);
    }
}
