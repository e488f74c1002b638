package org.mongolocks.contract.data;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mongolocks.contract.rules.GuardedTransactionRules.inTransaction;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.Fence;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.rules.ContractContext;
import org.mongolocks.proxy.FaultRule;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.reactive.ReactiveFencedCollection;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.GuardedDocument;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** Tests of guarded transactions beyond the contract; always on embedded servers. */
class GuardedTransactionTest {
    private static final Duration TTL = Duration.ofSeconds(30);

    private final String uri = ServerFinder.embedded().uri();
    private final MongoDatabase database = DriverClients.shared(uri).sync().getDatabase(LockContract.DATABASE);
    private final LockName name = LockName.of("guarded-" + UUID.randomUUID());

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aCommitThatIsNeverAnsweredIsReportedAsSuch(Driver driver) throws Exception {
        ProxyRoute detour = ProxyRoute.to(uri, true);
        GuardedDocument.prepare(database);
        try (FaultyLocks faulty = new FaultyLocks(build(driver, detour.connection()), detour)) {
            warmUp(faulty.locks());
            BlockingLock held =
                    faulty.locks().tryAcquire(name, Duration.ofSeconds(2)).orElseThrow();

            assertThatExceptionOfType(IndeterminateOutcomeException.class)
                    .isThrownBy(() -> inTransaction(held, data -> {
                        data.write("who knows");
                        faulty.closeConnection(ContractContext.ALWAYS, List.of("commitTransaction"));
                    }))
                    .withMessageContaining(name.value());
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aClientThatIsClosedDuringTheWorkCommitsNothing(Driver driver) throws Exception {
        GuardedDocument.prepare(database);
        BlockingLocks locks = build(driver, DriverClients.shared(uri));
        BlockingLock held = locks.tryAcquire(name, TTL).orElseThrow();
        CompletableFuture<BackgroundTask<Boolean>> closing = new CompletableFuture<>();

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> inTransaction(held, data -> {
                    data.write("too late");
                    closing.complete(BackgroundTask.run(() -> isClosed(locks)));
                    Eventually.isTrue("the loss is detected", () -> held.loss().isPresent());
                }))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(LossReason.CLIENT_CLOSED));

        assertThat(closing.get().result()).isTrue();
        assertThat(GuardedDocument.written(database, name)).isEmpty();
        try (BlockingLocks others = build(driver, DriverClients.shared(uri))) {
            assertThat(others.tryAcquire(name, TTL)).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void runningCommitIsCompleted(Driver driver) throws Exception {
        ProxyRoute detour = ProxyRoute.to(uri, true);
        GuardedDocument.prepare(database);
        try (FaultyLocks faulty = new FaultyLocks(build(driver, detour.connection()), detour)) {
            BlockingLock held = faulty.locks().tryAcquire(name, TTL).orElseThrow();
            FaultRule commit = faulty.trapNext(List.of("commitTransaction"), WireFault.holdRequest());
            BackgroundTask<Boolean> work = BackgroundTask.run(() -> {
                inTransaction(held, data -> data.write("committed"));
                return true;
            });
            commit.awaitCaught();

            work.interrupt();
            commit.release();

            Eventually.isTrue(
                    "it is committed",
                    () -> GuardedDocument.written(database, name).equals(List.of("committed")));
            Eventually.isTrue("the lock can be used", () -> isRenewed(held));
        }
    }

    @Test
    void fencedDocumentsAreWrittenInItOnTheReactiveDriverAndTheResultMayBeNothing() {
        DriverClients connection = DriverClients.shared(uri);
        ReactiveLockClient locks = ReactiveLockClient.builder(connection.reactive(), LockContract.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy("insert-unique")
                .build()
                .blockOptional()
                .orElseThrow();
        database.getCollection("fenced").insertOne(new Document("_id", name.value()).append("n", 1));

        Optional<Boolean> result = locks.tryAcquire(LockRequest.of(name, TTL).fixedLease())
                .flatMap(lock -> lock.inTransaction(session -> {
                    ReactiveFencedCollection<Document> fenced = ReactiveFencedCollection.of(
                                    connection
                                            .reactive()
                                            .getDatabase(LockContract.DATABASE)
                                            .getCollection("fenced"),
                                    Fence.of(lock.lease()))
                            .in(session);
                    return fenced.touch(eq(name.value()))
                            .flatMap(document -> fenced.update(eq(name.value()), inc("n", 1)))
                            .filter(written -> false);
                }))
                .blockOptional();
        locks.close();

        assertThat(result).isEmpty();
        assertThat(database.getCollection("fenced").find(eq(name.value())).first())
                .containsEntry("n", 2)
                .containsKey("fence");
    }

    @Test
    void theExampleOfTheDocumentBooksOnce() throws InterruptedException {
        database.getCollection("accounts").drop();
        database.getCollection("bookings").drop();
        database.getCollection("accounts").insertOne(new Document("_id", 7).append("balance", 100));
        database.createCollection("bookings");

        try (LockClient locks = LockClient.builder(DriverClients.shared(uri).sync(), LockContract.DATABASE)
                        .drainTimeout(Duration.ZERO)
                        .strategy("insert-unique")
                        .build();
                HeldLock lock =
                        locks.tryAcquire(LockRequest.of(name, TTL).fixedLease()).orElseThrow()) {
            book(lock, database.getCollection("accounts"), database.getCollection("bookings"));
        }

        assertThat(database.getCollection("accounts").find(eq("_id", 7)).first())
                .containsEntry("balance", 105);
        assertThat(database.getCollection("bookings").countDocuments()).isEqualTo(1);
    }

    @Test
    void theDocumentShowsThisExample() throws IOException {
        String source = Files.readString(
                Path.of("src", "test", "java", "org", "mongolocks", "contract", "data", "GuardedTransactionTest.java"));
        String example = source.substring(source.indexOf("// begin\n") + 9, source.indexOf("        // end\n"));

        assertThat(Files.readString(Path.of("..", "..", "docs", "data-safety.md"))
                        .replaceAll("\\s", ""))
                .contains(example.replaceAll("\\s", ""));
    }

    private static void book(HeldLock lock, MongoCollection<Document> accounts, MongoCollection<Document> bookings)
            throws InterruptedException {
        // begin
        long booked = lock.inTransaction(session -> {
            bookings.insertOne(session, new Document("account", 7).append("amount", 5));
            return accounts.updateOne(session, eq("_id", 7), inc("balance", 5)).getModifiedCount();
        });
        // end
        assertThat(booked).isEqualTo(1);
    }

    /** The first transaction of a driver may take longer than a short lease. */
    private static void warmUp(BlockingLocks locks) throws Exception {
        BlockingLock held = locks.tryAcquire(LockName.of("warm-up-" + UUID.randomUUID()), TTL)
                .orElseThrow();
        inTransaction(held, data -> data.write("first"));
        held.release();
    }

    private static boolean isRenewed(BlockingLock held) throws InterruptedException {
        try {
            return held.renew();
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private static boolean isClosed(BlockingLocks locks) {
        locks.close();
        return true;
    }

    private static BlockingLocks build(Driver driver, DriverClients connection) throws InterruptedException {
        return driver.build(
                connection,
                LockContract.DATABASE,
                builder -> builder.strategy("insert-unique").commandTimeout(Duration.ofSeconds(2)));
    }
}
