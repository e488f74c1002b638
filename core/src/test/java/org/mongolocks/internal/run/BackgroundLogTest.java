package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.LogHandler;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.internal.run.ClientRuns.BackgroundRunner;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.Step;
import org.mongolocks.time.Timer;

class BackgroundLogTest {
    private static final long SOON_SECONDS = 30;

    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch published = new CountDownLatch(1);
    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final DaemonThreads threads = new DaemonThreads("log-test");
    private final Logger logger = Logger.getLogger("org.mongolocks");
    private final Handler blocking = new LogHandler(this::block);

    @BeforeEach
    void addHandler() {
        logger.addHandler(blocking);
    }

    @AfterEach
    void goOn() {
        goOn.countDown();
        logger.removeHandler(blocking);
        threads.endWhenIdle();
    }

    @Test
    void aBlockedHandlerDoesNotBlockTheTimerThatFindsALoss() {
        Lease ended = new Lease(LockName.of("log-test"), Lab.OWNER, 1, Lab.TTL, System.nanoTime());
        Hold hold = new Hold(ended, System::nanoTime, Runnable::run);
        CountDownLatch next = new CountDownLatch(1);
        Timer timer = threads.timer();

        Timer.Timeout loss = timer.schedule(Duration.ZERO, hold::checkExpiry);
        Timer.Timeout other = timer.schedule(Duration.ofMillis(1), next::countDown);

        await(next);
        assertThat(messages).isEmpty();
        goOn.countDown();
        await(published);
        assertThat(messages)
                .singleElement()
                .asString()
                .contains("was lost (EXPIRED): its ttl of 10s ended, and it was not kept");
        loss.cancel();
        other.cancel();
    }

    /** The reactive client begins the release on the thread of the timer. */
    @Test
    void aBlockedHandlerDoesNotBlockTheTimerThatReleasesAForgottenLock() {
        Lab lab = new Lab();
        HoldRegistry holds = new HoldRegistry(
                lab.settings(new FakeStrategy()),
                threads.timer(),
                Runnable::run,
                new BeginsOnTheCallingThread(),
                (name, release) -> release,
                Optional.empty());
        Lease lease =
                new Lease(LockName.of("log-test"), Lab.OWNER, 1, Lab.TTL, lab.time.nanoTime() + Lab.TTL.toNanos());
        Hold hold = holds.add(LockRequest.of("log-test", Lab.TTL), lease, lab.time.nanoTime(), lab.time.nanoTime())
                .orElseThrow();
        CountDownLatch next = new CountDownLatch(1);

        hold.forgotten(new Hold.ForgottenHandle("", false, () -> {}));
        Timer.Timeout other = threads.timer().schedule(Duration.ofMillis(1), next::countDown);

        await(next);
        goOn.countDown();
        await(published);
        assertThat(messages).singleElement().asString().contains("garbage-collected");
        other.cancel();
    }

    private void block(LogRecord entry) {
        if (entry.getMessage().contains("log-test")) {
            await(goOn);
            messages.add(entry.getMessage());
            published.countDown();
        }
    }

    private static final class BeginsOnTheCallingThread implements BackgroundRunner {
        @Override
        public <R> CompletableFuture<R> run(String verb, LockName name, Supplier<Step<R>> program) {
            Step<R> begun = program.get();
            assertThat(begun).isNotNull();
            return new CompletableFuture<>();
        }

        @Override
        public <R> CompletableFuture<R> renew(LockName name, Supplier<RenewalTime> time, Supplier<Step<R>> program) {
            return new CompletableFuture<>();
        }
    }

    /** It may be a thread of the driver. */
    @Test
    void aBlockedHandlerDoesNotBlockTheThreadThatLogs() {
        BackgroundLog.log(System.Logger.Level.WARNING, "log-test");

        assertThat(messages).isEmpty();
        goOn.countDown();
        await(published);
        assertThat(messages).containsExactly("log-test");
    }

    /** It would keep the class loader of an application that was undeployed. */
    @Test
    @Tag("finds:log-thread-left")
    void theThreadOfTheLogEndsWithItsClient() throws Exception {
        BackgroundLog.log(System.Logger.Level.WARNING, "The last message of a client, for a test");

        threads.stop(Duration.ofSeconds(SOON_SECONDS));

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("mongo-locks-log");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(SOON_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
