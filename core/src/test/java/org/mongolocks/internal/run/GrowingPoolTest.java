package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.time.ManualTime;
import org.mongolocks.time.ManualTimer;

class GrowingPoolTest {
    private static final int FEW = 2;
    private static final int MOST = 5;
    private static final int TASKS = 8;

    private static final Duration STEP = Duration.ofMillis(1);

    private final ManualTimer timer = new ManualTimer(new ManualTime());
    private final List<Integer> growth = new ArrayList<>();
    private final GrowingPool pool =
            new GrowingPool(new GrowingPool.Limits(FEW, MOST, STEP), timer, Thread::new, growth::add);
    private final Semaphore begun = new Semaphore(0);
    private final CountDownLatch reply = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(TASKS);

    @AfterEach
    void stop() {
        pool.pool().shutdownNow();
    }

    private void waitForReply() {
        begun.release();
        try {
            assertThat(reply.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        done.countDown();
    }

    /** Lets the checks run until so many tasks more have begun. */
    private void awaitBegun(int tasks) throws InterruptedException {
        while (!begun.tryAcquire(tasks, STEP.toMillis(), TimeUnit.MILLISECONDS)) {
            timer.advance(STEP);
        }
    }

    @Test
    @Timeout(60)
    void tasksThatWaitForRepliesAreReplacedUpToALimit() throws InterruptedException {
        for (int i = 0; i < TASKS; i++) {
            pool.execute(this::waitForReply);
        }

        awaitBegun(MOST);
        timer.advance(STEP.multipliedBy(10));
        assertThat(pool.pool().getPoolSize()).isEqualTo(MOST);
        assertThat(growth).hasSizeBetween(1, MOST - FEW);
        reply.countDown();

        assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
    }

    /** They are as many as the free ones at least: so none waits for one that has begun before. */
    @Test
    @Timeout(60)
    void shortTasksGoOnBesideThoseThatWait() throws InterruptedException {
        for (int i = 0; i < FEW; i++) {
            pool.execute(this::waitForReply);
        }
        awaitBegun(FEW);
        Semaphore shortOnes = new Semaphore(0);

        for (int i = 0; i < TASKS; i++) {
            pool.execute(shortOnes::release);
        }

        while (!shortOnes.tryAcquire(TASKS, STEP.toMillis(), TimeUnit.MILLISECONDS)) {
            timer.advance(STEP);
        }
        reply.countDown();
    }
}
