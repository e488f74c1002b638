package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mongolocks.contract.broken.Sensitivity;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.ServerFinder;

/** Tests that the clock of the embedded server moves only while every other thread sleeps. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "Elsewhere the threads get a short delay, which may be too short")
class QuiescenceTest {
    private static final Duration STEP = Duration.ofHours(1);

    private final ContractServer server = ServerFinder.embedded();

    @Test
    void clockDoesNotMoveWhileAThreadComputes() throws Exception {
        assertNotMovedDuring(QuiescenceTest::compute);
    }

    @Test
    void clockDoesNotMoveWhileThreadsWakeEachOther() throws Exception {
        SynchronousQueue<Integer> queue = new SynchronousQueue<>();
        int turns = 2_000;
        BackgroundTask<Integer> other = BackgroundTask.run(() -> {
            int taken = 0;
            while (taken < turns) {
                taken = queue.take();
            }
            return taken;
        });

        assertNotMovedDuring(() -> {
            for (int turn = 1; turn <= turns; turn++) {
                put(queue, turn);
            }
        });
        assertThat(other.result()).isEqualTo(turns);
    }

    @Test
    void clockDoesNotMoveBetweenACommandAndItsReply() throws Exception {
        Document ping = new Document("ping", 1);
        assertNotMovedDuring(() -> {
            for (int command = 0; command < 200; command++) {
                DriverClients.shared(server.uri()).sync().getDatabase("admin").runCommand(ping);
            }
        });
    }

    @Test
    void clockDoesNotMoveWhileAReplyIsDelayed() throws Exception {
        InetSocketAddress address = ProxyRoute.addressOf(server.uri());
        try (FaultProxy slow = FaultProxy.slow(address, "ping"::equals, Duration.ofMillis(300));
                MongoClient client =
                        MongoClients.create(ProxyRoute.through(slow, server.uri(), UnaryOperator.identity()))) {
            assertNotMovedDuring(() -> client.getDatabase("admin").runCommand(new Document("ping", 1)));
        }
    }

    @Test
    void dueTasksAreDoneWhenElapseReturns() {
        AtomicBoolean isDone = new AtomicBoolean();
        Thread worker = new Thread(() -> {
            LockSupport.park();
            compute();
            isDone.set(true);
        });
        worker.setDaemon(true);
        worker.start();
        server.timer().orElseThrow().schedule(STEP, () -> LockSupport.unpark(worker));

        server.elapse(STEP);

        assertThat(isDone).isTrue();
    }

    @Test
    @ExtendWith(Sensitivity.class)
    void threadThatDoesNotComeToRestIsNamed() throws Exception {
        AtomicBoolean isEnough = new AtomicBoolean();
        BackgroundTask<Boolean> restless = BackgroundTask.run(() -> {
            while (!isEnough.get()) {
                Thread.onSpinWait();
            }
            return true;
        });

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> server.elapse(STEP))
                .withMessageContaining("contract-backg");

        isEnough.set(true);
        assertThat(restless.result()).isTrue();
    }

    /** The work has begun when the clock is to be moved, and reads the clock when it ends. */
    private void assertNotMovedDuring(Runnable work) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Callable<Long> timed = () -> {
            long start = server.time().nanoTime();
            begun.countDown();
            work.run();
            return server.time().nanoTime() - start;
        };
        BackgroundTask<Long> working = BackgroundTask.run(timed);
        begun.await();

        server.elapse(STEP);

        assertThat(Duration.ofNanos(working.result())).isLessThan(STEP);
    }

    private static void compute() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200);
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    private static void put(SynchronousQueue<Integer> queue, int turn) {
        try {
            queue.put(turn);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
