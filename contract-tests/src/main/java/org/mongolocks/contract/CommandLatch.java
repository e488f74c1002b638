package org.mongolocks.contract;

import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.time.Duration;
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
    private volatile Watch watch = new Watch(command -> false, new CountDownLatch(0));

    private record Watch(Predicate<CommandStartedEvent> commands, CountDownLatch latch) {}

    /** Counts down with each command of a kind from now on. */
    CountDownLatch next(int times, Predicate<CommandStartedEvent> commands) {
        CountDownLatch latch = new CountDownLatch(times);
        watch = new Watch(commands, latch);
        return latch;
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
        if (current.latch().getCount() > 0 && current.commands().test(event)) {
            current.latch().countDown();
        }
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        underWay.decrementAndGet();
    }

    @Override
    public void commandFailed(CommandFailedEvent event) {
        underWay.decrementAndGet();
    }
}
