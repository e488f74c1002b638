package org.mongolocks.contract.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.MongoCollection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LockStorageException;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.Shipped;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.sync.LockClient;

/** Tests that no document of an application, or of other locks, is changed where a client stores documents of its own. */
@ParameterizedClass(name = "{0}")
@EnumSource(Driver.class)
@ExtendWith(DroppedDatabase.class)
class ForeignDocumentTest {
    private static final Duration TTL = Duration.ofMinutes(5);

    @Parameter
    private Driver driver = Driver.SYNC;

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final String collection = "mail-" + UUID.randomUUID();
    private final LockName name = LockName.of("inbox");

    static Stream<Document> documents() {
        return Stream.of(
                new Document("_id", "inbox"),
                new Document("_id", "inbox").append("n", 7L),
                new Document("_id", "inbox").append("tickets", List.of()),
                new Document("_id", "inbox").append("tickets", List.of("a")).append("at", "home"),
                new Document("_id", "inbox").append("format", "flag-update/3").append("n", 7L),
                new Document("_id", "inbox").append("format", 1).append("n", 7L));
    }

    @ParameterizedTest
    @MethodSource("documents")
    @Tag("finds:foreign-document-changed")
    void countersOfTransactionalLeaveOtherDocuments(Document document) throws Exception {
        Shipped.supported("transactional");
        MongoCollection<Document> fences = collection(".fences");
        fences.insertOne(document);
        try (BlockingLocks locks = build("transactional", collection)) {
            assertThatExceptionOfType(LockStorageException.class)
                    .isThrownBy(() -> locks.tryAcquire(name, TTL))
                    .withMessageContaining("'" + collection + ".fences'")
                    .withMessageContaining("'inbox'");
            assertThatExceptionOfType(LockStorageException.class)
                    .isThrownBy(() -> locks.forceRelease(LockSnapshot.unused(name)))
                    .withMessageContaining("'" + collection + ".fences'");
            raiseTokens();
        }

        assertThat(fences.find().into(new ArrayList<>())).containsExactly(document);
        assertThat(collection("").countDocuments()).isZero();
    }

    private void raiseTokens() throws InterruptedException {
        try (LockClient operator = LockClient.builder(connection.sync(), LockContract.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy("transactional")
                .collection(collection)
                .build()) {
            assertThat(operator.raiseTokens(LockQuery.all(), 1_000)).isZero();
        }
    }

    private MongoCollection<Document> collection(String suffix) {
        return connection.sync().getDatabase(LockContract.DATABASE).getCollection(collection + suffix);
    }

    private BlockingLocks build(String strategy, String locks) throws InterruptedException {
        return driver.build(
                connection,
                LockContract.DATABASE,
                builder -> builder.strategy(strategy).collection(locks));
    }
}
