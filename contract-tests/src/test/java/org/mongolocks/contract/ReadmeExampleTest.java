package org.mongolocks.contract;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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
import org.mongolocks.LockRequest;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/**
 * Runs the example of the README, and checks that the README shows the same code. Always on the embedded server,
 * because a database of that name may exist on another.
 */
class ReadmeExampleTest {
    private final MongoClient mongo =
            Connection.shared(ServerFinder.embedded().uri()).sync();
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
    void theExampleSaysWhenSomebodyElseIsBilling() throws InterruptedException {
        try (LockClient locks = LockClient.builder(mongo, "shop")
                        .strategy("findandmodify-counter")
                        .build();
                HeldLock other = locks.tryAcquire(LockRequest.of("invoice-42", Duration.ofSeconds(30)))
                        .orElseThrow()) {
            assertThatIllegalStateException().isThrownBy(this::bill);
            assertThat(other.isHeld()).isTrue();
        }
        assertThat(invoices.find(eq("_id", 42)).first()).containsEntry("state", "open");
    }

    @Test
    void theReadmeShowsThisExample() throws IOException {
        String source = Files.readString(
                Path.of("src", "test", "java", "org", "mongolocks", "contract", "ReadmeExampleTest.java"));
        String example = source.substring(source.indexOf("// begin\n") + 9, source.indexOf("        // end\n"));

        assertThat(withoutSpaces(Files.readString(Path.of("..", "README.md")))).contains(withoutSpaces(example));
    }

    /** Line breaks differ between the formatted code and the document. */
    private static String withoutSpaces(String text) {
        return text.replaceAll("\\s", "");
    }

    private void bill() throws InterruptedException {
        // begin
        try (LockClient locks = LockClient.builder(mongo, "shop")
                .strategy("findandmodify-counter")
                .build()) {
            LockRequest request = LockRequest.of("invoice-42", Duration.ofSeconds(30));
            boolean billed = locks.withLock(
                    request,
                    lock -> invoices.updateOne(
                            and(eq("_id", 42), or(exists("fence", false), lte("fence", lock.fencingToken()))),
                            combine(set("state", "billed"), set("fence", lock.fencingToken()))));
            if (!billed) {
                throw new IllegalStateException("somebody else is billing invoice 42");
            }
        }
        // end
    }
}
