package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.internal.acquire.GrantAcquisition;
import org.mongolocks.internal.acquire.GrantAcquisitions;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** Many waiters, each for another lock, on a time that the test moves. */
class IdleWaitersTest {
    private static final int MANY = 10_000;
    private static final int TRANSITIONS = 5;
    private static final Duration LONG_WAIT = Duration.ofHours(1);
    private static final Duration LEASE_LEFT = Duration.ofMinutes(5);

    private final Lab lab = new Lab();
    private final LockTable table = new LockTable().listing(LEASE_LEFT);
    private final ScriptedFeed feed = new ScriptedFeed();
    private final WaiterQueues queues = Lab.queues(lab.settings(table), feed);
    private final PriorityQueue<Waiting> waiting =
            new PriorityQueue<>(Comparator.comparingLong(waiter -> waiter.wakeAtNanos - lab.time.nanoTime()));
    private final Queue<Waiting> signalled = new ArrayDeque<>();
    private final List<Waiting> granted = new ArrayList<>();
    private final List<Long> reads = new ArrayList<>();
    private final List<Long> writes = new ArrayList<>();

    /** One acquisition, which continues when its pause ends or its signal completes. */
    private final class Waiting {
        private final GrantAcquisition acquisition;
        private Step<LockOutcome> step;
        private long wakeAtNanos;

        Waiting(int number) {
            LockRequest request =
                    LockRequest.of(name(number), Lab.TTL).fixedLease().waitAtMost(LONG_WAIT);
            acquisition =
                    GrantAcquisitions.of(lab.settings(table), request, new Owner("lab", new UUID(1, number)), queues);
            step = acquisition.start();
            pause();
        }

        /** A signal of an earlier pause may complete too. */
        void goOnIfSignalled() {
            boolean isSignalled = step instanceof Step.Pause<LockOutcome> pause
                    && pause.wakeUp().filter(CompletableFuture::isDone).isPresent();
            if (isSignalled) {
                waiting.remove(this);
                goOn();
            }
        }

        void goOn() {
            step = ((Step.Pause<LockOutcome>) step).then().get();
            pause();
        }

        private void pause() {
            countCalls();
            if (step instanceof Step.Pause<LockOutcome> pause) {
                wakeAtNanos = lab.time.nanoTime() + pause.delay().toNanos();
                waiting.add(this);
                pause.wakeUp().ifPresent(signal -> {
                    CompletableFuture<Void> unused = signal.thenRun(() -> signalled.add(this));
                });
            } else {
                granted.add(this);
            }
        }
    }

    @Test
    void manyIdleLocksCostFewReadsAndNoWrites() {
        waitForHeldLocks(MANY);
        settle();

        pass(Duration.ofSeconds(30));

        assertThat(writes.size()).isZero();
        assertThat(reads.size()).as("reads in 30 seconds").isBetween(MANY / 2, 30 * 340);
        assertThat(busiestSecond()).isLessThan(600);
    }

    @Test
    void waitersThatPollSpreadTheirReads() {
        waitForHeldLocks(1_000);
        pass(Duration.ofSeconds(10));
        reads.clear();
        writes.clear();

        pass(Duration.ofSeconds(10));

        assertThat(writes.size()).isZero();
        assertThat(reads.size()).isLessThanOrEqualTo(10_000);
    }

    /** A release without an event, for example of a document that an operator deleted through an old primary. */
    @Test
    void missedReleaseIsFoundWithinTenSeconds() {
        waitForHeldLocks(200);
        settle();
        pass(Duration.ofSeconds(3));

        table.freed(name(7).value());
        table.freed(name(150).value());
        pass(Duration.ofSeconds(10));

        assertThat(granted).hasSize(2);
    }

    @Test
    void waiterWhoseReadFailsAttempts() {
        waitForHeldLocks(200);
        settle();
        pass(Duration.ofSeconds(3));
        table.freed(name(7).value());
        table.fails("read " + name(7), Fault.NOT_SENT);

        pass(Duration.ofSeconds(10));

        assertThat(granted).hasSize(1);
    }

    /** As after each failover; any lock may have been released meanwhile. */
    @Test
    void newStreamDoesNotMakeAllAttemptsAtOnce() {
        waitForHeldLocks(MANY);
        settle();
        reads.clear();
        writes.clear();

        feed.tellsThatItIsOpen();
        pass(Duration.ofMillis(100));
        assertThat(writes.size() + reads.size()).isLessThan(MANY / 20);

        table.freed(name(7).value());
        pass(Duration.ofSeconds(MANY / 1_000));
        assertThat(granted).hasSize(1);
        assertThat(busiestSecond()).isBetween(1L, MANY / 5L);
    }

    /** As on a busy machine, where commands take long: at each transition the replies to many are under way. */
    @Test
    @Tag("finds:attempts-at-a-new-stream")
    void eachTransitionOfTheStreamCostsOneLookAtEachLock() {
        waitForHeldLocks(0, 1);
        table.replyAfter(Duration.ofMillis(700));
        waitForHeldLocks(1, 1_000);
        feed.tellsThatItIsOpen();
        pass(Duration.ofSeconds(3));
        assertThat(writes).as("attempts that join").hasSize(1_000);
        assertThat(reads).as("looks").hasSizeLessThanOrEqualTo(1_000);

        for (int transition = 0; transition < TRANSITIONS; transition++) {
            feed.tellsThatItIsOpen();
            pass(Duration.ofMillis(300));
        }
        pass(Duration.ofSeconds(2));

        assertThat(writes).as("attempts that join").hasSize(1_000);
        assertThat(reads).as("looks").hasSizeBetween(1_000, (1 + TRANSITIONS) * 1_000);
    }

    /** As after a pause of this process: any of them may be the first to continue. */
    @Test
    void waiterReadsItsOwnLockAlsoIfManyOthersAreOverdue() {
        waitForHeldLocks(250);
        settle();

        lab.time.advance(Duration.ofSeconds(30));
        waiting.stream().max(waiting.comparator()).orElseThrow().goOn();

        assertThat(reads).hasSize(1);
    }

    private void waitForHeldLocks(int count) {
        waitForHeldLocks(0, count);
    }

    private void waitForHeldLocks(int first, int end) {
        for (int number = first; number < end; number++) {
            table.heldByAnother(name(number).value());
            new Waiting(number);
        }
    }

    /** Opens the stream, and forgets the calls until then. */
    private void settle() {
        feed.tellsThatItIsOpen();
        pass(Duration.ofMillis(waiting.size()));
        reads.clear();
        writes.clear();
    }

    private void pass(Duration time) {
        long endNanos = lab.time.nanoTime() + time.toNanos();
        continueSignalled();
        while (!waiting.isEmpty() && waiting.peek().wakeAtNanos - endNanos <= 0) {
            Waiting next = waiting.remove();
            lab.time.advance(Duration.ofNanos(Math.max(0, next.wakeAtNanos - lab.time.nanoTime())));
            next.goOn();
            continueSignalled();
        }
        lab.time.advance(Duration.ofNanos(endNanos - lab.time.nanoTime()));
    }

    private void continueSignalled() {
        while (!signalled.isEmpty()) {
            signalled.remove().goOnIfSignalled();
        }
    }

    private void countCalls() {
        table.calls.forEach(call -> (call.startsWith("read") ? reads : writes).add(lab.time.nanoTime()));
        table.calls.clear();
    }

    private long busiestSecond() {
        long origin = reads.get(0);
        long[] seconds = new long[61];
        reads.forEach(at -> seconds[(int) ((at - origin) / 1_000_000_000L)]++);
        return Arrays.stream(seconds).max().orElse(0);
    }

    private static LockName name(int number) {
        return LockName.of("lock-" + number);
    }
}
