package org.mongolocks.contract.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.event.ConnectionCheckOutStartedEvent;
import com.mongodb.event.ConnectionPoolListener;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.Shipped;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/**
 * Tests of interrupts: a thread is interrupted at each of its commands in turn, while the driver selects a connection
 * for it.
 */
@ExtendWith(DroppedDatabase.class)
class InterruptedClientTest {
    private static final Duration TTL = Duration.ofHours(1);
    /** Short compared with the time after which a server aborts an abandoned transaction. */
    private static final Duration SOON = Duration.ofMinutes(1);
    /** A transaction sends two commands for a lock and one to end; then come the commands that compensate. */
    private static final int MAX_COMMANDS = 5;

    private final String uri = ServerFinder.found().uri();
    private final Interrupter interrupter = new Interrupter();
    private final LockName name = LockName.of("interrupted-" + UUID.randomUUID());

    /** Interrupts a thread at one of its next commands, and at some that follow. */
    private static final class Interrupter implements ConnectionPoolListener {
        private volatile Thread whom = Thread.currentThread();
        private final AtomicInteger until = new AtomicInteger();
        private volatile int times;

        void interruptMeAt(int command, int count) {
            until.set(command);
            times = count;
            whom = Thread.currentThread();
        }

        @Override
        public void connectionCheckOutStarted(ConnectionCheckOutStartedEvent event) {
            if (!Thread.currentThread().equals(whom)) {
                return;
            }
            int left = until.decrementAndGet();
            if (left <= 0 && -left < times) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @ParameterizedTest(name = "{0}, retryWrites={1}, interrupted {2} times")
    @MethodSource("cases")
    void waiterInterruptedDuringACommandLeavesNoLease(String strategy, boolean retryWrites, int times)
            throws Exception {
        Shipped.supported(strategy);
        try (DriverClients connection = interrupting(retryWrites);
                LockClient locks = client(connection, strategy);
                LockClient others = client(DriverClients.shared(uri), strategy)) {
            for (int command = 1; command <= MAX_COMMANDS; command++) {
                giveUp(locks, command, times);
                HeldLock held = soonFree(others, "it was free, command " + command);
                giveUp(locks, command, times);
                assertThat(held.release()).isTrue();
                soonFree(others, "it was held, command " + command).release();
            }
        }
    }

    private static Stream<Arguments> cases() {
        return Shipped.names()
                .flatMap(name -> Stream.of(true, false)
                        .flatMap(retries -> Stream.of(1, 2).map(times -> Arguments.of(name, retries, times))));
    }

    private DriverClients interrupting(boolean retryWrites) {
        return DriverClients.of(DriverClients.settings(uri)
                .retryWrites(retryWrites)
                .applyToConnectionPoolSettings(pool -> pool.addConnectionPoolListener(interrupter))
                .build());
    }

    private static LockClient client(DriverClients connection, String strategy) throws InterruptedException {
        return LockClient.builder(connection.sync(), LockContract.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(strategy)
                .collection(strategy)
                .build();
    }

    /** Acquires, is interrupted, and releases a lock that was granted nevertheless. */
    private void giveUp(LockClient locks, int command, int times) throws Exception {
        BackgroundTask<Optional<HeldLock>> asking = BackgroundTask.run(() -> {
            interrupter.interruptMeAt(command, times);
            return locks.tryAcquire(LockRequest.of(name, TTL).fixedLease());
        });
        try {
            asking.result().ifPresent(HeldLock::release);
        } catch (InterruptedException e) {
            assertThat(Thread.interrupted()).as("the one who checks").isFalse();
        }
    }

    private HeldLock soonFree(LockClient others, String when) throws InterruptedException {
        Optional<HeldLock> free =
                others.tryAcquire(LockRequest.of(name, TTL).fixedLease().waitAtMost(SOON));
        assertThat(free).as(when).isPresent();
        return free.orElseThrow();
    }
}
