package org.mongolocks.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockRequest;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.GuardedDocument;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import reactor.core.publisher.Mono;

/** Tests of guarded transactions whose work ends them itself; always on an embedded server. */
class EndedTransactionTest {
    private final LockRequest request =
            LockRequest.of("ended-" + UUID.randomUUID(), Duration.ofSeconds(30)).fixedLease();

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.embedded().uri());
    private final MongoDatabase database = connection.sync().getDatabase(ContractServer.DATABASE);
    private final AtomicInteger runs = new AtomicInteger();

    /** What the work does with its session, on each driver. */
    private record Ending(
            String name,
            Consumer<ClientSession> sync,
            Function<com.mongodb.reactivestreams.client.ClientSession, Mono<Void>> reactive) {
        private static final Ending ABORT =
                new Ending("abort", ClientSession::abortTransaction, session -> Mono.from(session.abortTransaction()));
        private static final Ending COMMIT = new Ending(
                "commit", ClientSession::commitTransaction, session -> Mono.from(session.commitTransaction()));
        private static final Ending START = new Ending(
                "start", ClientSession::startTransaction, session -> Mono.fromRunnable(session::startTransaction));
        private static final Ending CLOSE = new Ending(
                "close",
                ClientSession::close,
                session -> Mono.<Void>fromRunnable(session::close).then(Mono.defer(() -> untilAborted(session))));

        /** The driver aborts in the background; a commit that arrives before is one under the lock. */
        private static Mono<Void> untilAborted(com.mongodb.reactivestreams.client.ClientSession session) {
            return Mono.fromSupplier(session::hasActiveTransaction)
                    .filter(active -> !active)
                    .repeatWhenEmpty(turns -> turns.delayElements(Duration.ofMillis(1)))
                    .then();
        }

        Ending then(Ending next) {
            return new Ending(
                    name + ", " + next.name,
                    sync.andThen(next.sync),
                    session -> reactive.apply(session).then(Mono.defer(() -> next.reactive.apply(session))));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Ending> endings() {
        return Stream.of(
                Ending.ABORT,
                Ending.COMMIT,
                Ending.ABORT.then(Ending.START),
                Ending.COMMIT.then(Ending.START),
                Ending.ABORT.then(Ending.START).then(Ending.COMMIT),
                Ending.CLOSE);
    }

    @ParameterizedTest
    @MethodSource("endings")
    @Tag("finds:transaction-ended-by-work")
    void workThatEndsItsTransactionIsRefusedOnTheSyncDriver(Ending ending) throws InterruptedException {
        GuardedDocument.prepare(database);
        try (LockClient locks = syncLocks();
                HeldLock lock = locks.tryAcquire(request).orElseThrow()) {
            long validUntil = lock.lease().validUntilNanos();

            assertThatIllegalStateException()
                    .isThrownBy(() -> lock.inTransaction(session -> {
                        ending.sync.accept(session);
                        return runs.incrementAndGet();
                    }))
                    .withMessageContaining(request.name().value())
                    .withMessageContaining("ended the transaction");

            assertThat(lock.lease().validUntilNanos()).isEqualTo(validUntil);
            assertThat(runs).hasValue(1);
            assertThat(lock.<Integer, RuntimeException>inTransaction(session -> 1))
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("endings")
    @Tag("finds:transaction-ended-by-work")
    void workThatEndsItsTransactionIsRefusedOnTheReactiveDriver(Ending ending) {
        GuardedDocument.prepare(database);
        ReactiveLockClient locks = reactiveLocks();
        ReactiveHeldLock lock = locks.tryAcquire(request).blockOptional().orElseThrow();
        long validUntil = lock.lease().validUntilNanos();

        assertThatIllegalStateException()
                .isThrownBy(() -> lock.inTransaction(session ->
                                ending.reactive.apply(session).then(Mono.fromSupplier(runs::incrementAndGet)))
                        .block())
                .withMessageContaining(request.name().value())
                .withMessageContaining("ended the transaction");

        assertThat(lock.lease().validUntilNanos()).isEqualTo(validUntil);
        assertThat(runs).hasValue(1);
        assertThat(lock.inTransaction(session -> Mono.just(1)).block()).isEqualTo(1);
        locks.close();
    }

    @ParameterizedTest
    @MethodSource("endings")
    void workThatEndsItsTransactionAndFailsIsNotRepeatedOnTheSyncDriver(Ending ending) throws InterruptedException {
        try (LockClient locks = syncLocks();
                HeldLock lock = locks.tryAcquire(request).orElseThrow()) {
            assertThatExceptionOfType(MongoException.class)
                    .isThrownBy(() -> lock.inTransaction(session -> {
                        runs.incrementAndGet();
                        ending.sync.accept(session);
                        throw transientFailure();
                    }))
                    .satisfies(e -> assertThat(e.getSuppressed())
                            .singleElement()
                            .asString()
                            .contains("ended the transaction"));

            assertThat(runs).hasValue(1);
        }
    }

    @ParameterizedTest
    @MethodSource("endings")
    void workThatEndsItsTransactionAndFailsIsNotRepeatedOnTheReactiveDriver(Ending ending) {
        ReactiveLockClient locks = reactiveLocks();
        ReactiveHeldLock lock = locks.tryAcquire(request).blockOptional().orElseThrow();

        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(() -> lock.inTransaction(session -> {
                            runs.incrementAndGet();
                            return ending.reactive.apply(session).then(Mono.error(transientFailure()));
                        })
                        .block());

        assertThat(runs).hasValue(1);
        locks.close();
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    @Tag("finds:cause-cycle")
    void workMayFailWithACycleOfCauses() throws InterruptedException {
        try (LockClient locks = syncLocks();
                HeldLock lock = locks.tryAcquire(request).orElseThrow()) {
            IllegalArgumentException failure = new IllegalArgumentException("for a test");
            failure.initCause(new IllegalArgumentException("its cause", failure));

            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> lock.inTransaction(session -> {
                        throw failure;
                    }))
                    .matches(e -> e == failure);

            assertThat(lock.isHeld()).isTrue();
        }
    }

    private static MongoException transientFailure() {
        MongoException failure = new MongoException("for a test");
        failure.addLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
        return failure;
    }

    private LockClient syncLocks() throws InterruptedException {
        return LockClient.builder(connection.sync(), ContractServer.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy("insert-unique")
                .build();
    }

    private ReactiveLockClient reactiveLocks() {
        return ReactiveLockClient.builder(connection.reactive(), ContractServer.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy("insert-unique")
                .build()
                .blockOptional()
                .orElseThrow();
    }
}
