package org.mongolocks.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockInterruptedException;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** Tests of commands of an interrupted thread. */
@ExtendWith(DroppedDatabase.class)
class InterruptedCommandTest {
    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final LockClient locks = PlainClient.on(connection);
    private final LockName name = LockName.of("interrupted-" + UUID.randomUUID());
    private final LockRequest request =
            LockRequest.of(name, Duration.ofSeconds(30)).fixedLease();

    /** A command for a held lock. */
    @FunctionalInterface
    private interface HeldLockCommand {
        void send(LockClient locks, HeldLock lock);
    }

    static Stream<HeldLockCommand> commands() {
        return Stream.of(
                (locks, lock) -> locks.inspect(lock.lease().name()),
                (locks, lock) -> locks.list(LockQuery.all()),
                (locks, lock) ->
                        locks.forceRelease(LockSnapshot.unused(lock.lease().name())),
                (locks, lock) -> locks.raiseTokens(LockQuery.all(), 1),
                (locks, lock) -> lock.renew(),
                (locks, lock) -> lock.inTransaction(session -> {
                    throw new AssertionError("It ran");
                }));
    }

    @AfterEach
    void close() {
        Thread.interrupted();
        locks.close();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void commandOfAnInterruptedThreadIsNotSentAndTheInterruptStays(HeldLockCommand command)
            throws InterruptedException {
        HeldLock lock = locks.acquire(request);

        Thread.currentThread().interrupt();

        assertThatExceptionOfType(LockInterruptedException.class)
                .isThrownBy(() -> command.send(locks, lock))
                .withMessageEndingWith("was interrupted")
                .satisfies(thrown -> assertThat(thrown.isTransient()).isFalse());
        assertThat(Thread.interrupted()).isTrue();
        assertThat(lock.renew()).isTrue();
    }

    /** The driver does not notice an interrupt while it reads a reply. */
    @Test
    void grantWhoseReplyArrivesAfterAnInterruptIsReleased() throws InterruptedException {
        AtomicBoolean isArmed = new AtomicBoolean();
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(ServerFinder.found().uri()))
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandSucceeded(CommandSucceededEvent event) {
                        if (event.getCommandName().equals("findAndModify") && isArmed.getAndSet(false)) {
                            Thread.currentThread().interrupt();
                        }
                    }
                })
                .build();

        try (MongoClient mongo = MongoClients.create(settings);
                LockClient interrupted = LockClient.builder(mongo, ContractServer.DATABASE)
                        .strategy(new FindAndModifyCounterStrategy())
                        .drainTimeout(Duration.ZERO)
                        .build()) {
            isArmed.set(true);
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> interrupted.acquire(request));
        }

        assertThat(Thread.interrupted()).isFalse();
        assertThat(locks.tryAcquire(request)).isPresent();
    }

    @Test
    void clientOfAnInterruptedThreadIsNotBuilt() {
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> PlainClient.on(connection));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void interruptedWorkOfATransactionWritesNothingAndKeepsTheInterrupt() throws InterruptedException {
        HeldLock lock = locks.acquire(request);

        assertThatExceptionOfType(LockInterruptedException.class)
                .isThrownBy(() -> lock.inTransaction(session -> {
                    Thread.currentThread().interrupt();
                    return "done";
                }))
                .satisfies(thrown -> assertThat(thrown.lockName()).contains(name));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(lock.renew()).isTrue();
    }
}
