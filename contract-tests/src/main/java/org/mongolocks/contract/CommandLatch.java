package org.mongolocks.contract;

import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Tells when a client sends commands, and when it has none under way. */
final class CommandLatch implements CommandListener {
    /** A program that goes on sends its next command sooner than that. */
    private static final Duration PAUSE = Duration.ofMillis(50);
    /** More than any command takes. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private final Set<Integer> unanswered = ConcurrentHashMap.newKeySet();
    private volatile Watch watch = new Watch(command -> false, new CountDownLatch(0), false);

    private record Watch(Predicate<CommandStartedEvent> commands, CountDownLatch latch, boolean whenAnswered) {}

    /** Counts down when a command of a kind is sent from now on. */
    CountDownLatch nextSent(int times, Predicate<CommandStartedEvent> commands) {
        return watch(times, commands, false);
    }

    /** Counts down when a command of a kind that is sent from now on is answered. */
    CountDownLatch nextAnswered(int times, Predicate<CommandStartedEvent> commands) {
        return watch(times, commands, true);
    }

    /** Waits until nothing is under way, where something is: a client that was cancelled still takes back. */
    void awaitQuiet() {
        long patience = System.nanoTime() + PATIENCE.toNanos();
        boolean quiet = underWay.get() == 0;
        while (!quiet && System.nanoTime() < patience) {
            int before = started.get();
            LockSupport.parkNanos(PAUSE.toNanos());
            quiet = underWay.get() == 0 && started.get() == before;
        }
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        started.incrementAndGet();
        underWay.incrementAndGet();
        Watch current = watch;
        if (current.latch().getCount() == 0 || !current.commands().test(event)) {
            return;
        }
        if (current.whenAnswered()) {
            unanswered.add(event.getRequestId());
        } else {
            current.latch().countDown();
        }
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        ended(event.getRequestId());
    }

    @Override
    public void commandFailed(CommandFailedEvent event) {
        ended(event.getRequestId());
    }

    private CountDownLatch watch(int times, Predicate<CommandStartedEvent> commands, boolean whenAnswered) {
        CountDownLatch latch = new CountDownLatch(times);
        watch = new Watch(commands, latch, whenAnswered);
        return latch;
    }

    private void ended(int requestId) {
        underWay.decrementAndGet();
        if (unanswered.remove(requestId)) {
            watch.latch().countDown();
        }
    }
}
