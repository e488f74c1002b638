package org.mongolocks.contract;

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
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** Interrupts a thread at each of its commands in turn, just when the driver looks for a connection to send it on. */
@ExtendWith(DroppedDatabase.class)
class InterruptedClientTest {
    private static final Duration TTL = Duration.ofHours(1);
    /** Short against the time after which a server ends by itself a transaction that nobody ends. */
    private static final Duration SOON = Duration.ofSeconds(10);
    /** A transaction has two for a lock, and its end; then comes what takes it back. */
    private static final int MOST_COMMANDS = 5;

    private final String uri = ServerFinder.found().uri();
    private final Interrupter interrupter = new Interrupter();
    private final LockName name = LockName.of("interrupted-" + UUID.randomUUID());

    /** Interrupts one thread, at one of its next commands and at some that follow. */
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
    void whoeverIsInterruptedAtACommandLeavesNothingBehind(String strategy, boolean retryWrites, int times)
            throws Exception {
        Shipped.supported(strategy);
        try (Connection connection = interrupting(retryWrites);
                LockClient locks = client(connection, strategy);
                LockClient others = client(Connection.shared(uri), strategy)) {
            for (int command = 1; command <= MOST_COMMANDS; command++) {
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

    private Connection interrupting(boolean retryWrites) {
        return Connection.of(Connection.settings(uri)
                .retryWrites(retryWrites)
                .applyToConnectionPoolSettings(pool -> pool.addConnectionPoolListener(interrupter))
                .build());
    }

    private static LockClient client(Connection connection, String strategy) throws InterruptedException {
        return LockClient.builder(connection.sync(), LockContract.DATABASE)
                .strategy(strategy)
                .collection(strategy)
                .build();
    }

    /** Asks, is interrupted, and gives back what it may have been granted all the same. */
    private void giveUp(LockClient locks, int command, int times) throws Exception {
        Background<Optional<HeldLock>> asking = Background.run(() -> {
            interrupter.interruptMeAt(command, times);
            return locks.tryAcquire(new LockRequest(name, TTL, Duration.ZERO));
        });
        try {
            asking.result().ifPresent(HeldLock::release);
        } catch (InterruptedException e) {
            assertThat(Thread.interrupted()).as("the one who checks").isFalse();
        }
    }

    private HeldLock soonFree(LockClient others, String when) throws InterruptedException {
        Optional<HeldLock> free = others.acquire(new LockRequest(name, TTL, SOON));
        assertThat(free).as(when).isPresent();
        return free.orElseThrow();
    }
}
