package org.mongolocks.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;

/** Tests with many virtual threads that wait for locks and hold them: far more than carrier threads. */
@ExtendWith(DroppedDatabase.class)
class VirtualThreadsTest {
    private static final int MANY = 300;
    private static final Duration TTL = Duration.ofMinutes(1);

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final String prefix = "virtual-" + UUID.randomUUID() + "-";
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger met = new AtomicInteger();
    private ExecutorService threads = Executors.newSingleThreadExecutor();
    private final LockClient locks = PlainClient.on(connection);

    @BeforeEach
    void useVirtualThreads() throws ReflectiveOperationException {
        assumeTrue(Runtime.version().feature() >= 21, "Virtual threads came with JDK 21");
        threads.shutdown();
        threads = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        locks.close();
    }

    @Test
    void manyWaitForOneLockAndEachGetsIt() throws Exception {
        LockRequest request = LockRequest.of(prefix, TTL).waitAtMost(Duration.ofMinutes(5));

        runMany(number -> locks.tryWithLock(request, lock -> work()));

        assertThat(met).as("who met another").hasValue(0);
    }

    @Test
    void manyLockAndLockAgainAsThreadsDo() throws Exception {
        DistributedLock lock = locks.asLock(LockRequest.of(prefix, TTL).fixedLease());

        runMany(number -> {
            lock.lock();
            try {
                assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
                work();
                lock.unlock();
                assertThat(lock.getHoldCount()).isEqualTo(1);
            } finally {
                lock.unlock();
            }
            return true;
        });

        assertThat(met).as("who met another").hasValue(0);
    }

    @Test
    void manyWaitForOverlappingSets() throws Exception {
        runMany(number -> {
            List<String> pair = List.of(prefix + number % 7, prefix + (number + 1) % 7);
            MultiLockRequest request =
                    MultiLockRequest.of(pair, TTL).fixedLease().waitAtMost(Duration.ofMinutes(5));
            return locks.tryWithLocks(request, held -> assertThat(held.isHeld()).isTrue());
        });
    }

    /** Blocks for about as long as one command takes. */
    private void work() throws InterruptedException {
        if (inside.incrementAndGet() != 1) {
            met.incrementAndGet();
        }
        locks.inspect(LockName.of(prefix));
        inside.decrementAndGet();
    }

    private void runMany(Numbered work) throws Exception {
        List<Future<Boolean>> all = new ArrayList<>();
        for (int number = 0; number < MANY; number++) {
            int mine = number;
            Callable<Boolean> task = () -> work.run(mine);
            all.add(threads.submit(task));
        }
        for (Future<Boolean> each : all) {
            assertThat(each.get(2, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(locks.inspect(LockName.of(prefix)).map(seen -> seen.isHeld()).orElse(false))
                .isFalse();
    }

    @FunctionalInterface
    private interface Numbered {
        boolean run(int number) throws Exception;
    }
}
