package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.mongolocks.benchmarks.harness.Visitor.Errand;
import org.mongolocks.benchmarks.harness.Visitor.Log;
import org.mongolocks.benchmarks.rival.Grant;
import org.mongolocks.benchmarks.rival.Party;

/**
 * Has the lock while a crowd gathers, lets go of it when everybody waits, and counts what they do until the time is over. How a
 * crowd gathers and how it goes home costs commands that a grant does not. Then it calls everybody off.
 */
final class Clerk {
    /** When nothing was sent for so long all wait. */
    private static final Duration QUIET = Duration.ofMillis(50);
    /** Some never rest: they poll. */
    private static final Duration LONGEST_GATHERING = Duration.ofSeconds(1);
    /** A lock that comes round more rarely than that is counted as it is. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Party locks;
    private final Errand errand;
    private final List<Visitor> visitors;
    private final LongSupplier commands;

    private record Mark(long nanos, long commands, List<Log> logs) {
        long grants() {
            return logs.stream().mapToLong(Log::grants).sum();
        }

        boolean haveAllAsked() {
            return logs.stream().allMatch(log -> log.questions() > 0);
        }
    }

    Clerk(Party locks, Errand errand, List<Visitor> visitors, LongSupplier commands) {
        this.locks = locks;
        this.errand = errand;
        this.visitors = List.copyOf(visitors);
        this.commands = commands;
    }

    /** Counts for so long, on the calling thread. */
    Optional<Window> count(Duration time) throws InterruptedException {
        try {
            Mark opened = letGoWhenAllWait();
            return Optional.of(between(opened, closed(opened, time)));
        } finally {
            visitors.forEach(Visitor::callOff);
        }
    }

    /** The thread that has a lock is the one that gives it back: some locks insist on that. */
    private Mark letGoWhenAllWait() throws InterruptedException {
        Grant held = locks.acquire(errand.request()).orElseThrow();
        errand.begun().countDown();
        gather();
        Mark opened = mark();
        errand.giveBack(held);
        return opened;
    }

    private void gather() throws InterruptedException {
        Mark now = mark();
        Mark changed = now;
        long deadline = now.nanos() + LONGEST_GATHERING.toNanos();
        while (!now.haveAllAsked() || (now.nanos() < deadline && now.nanos() - changed.nanos() < QUIET.toNanos())) {
            now = later();
            changed = now.commands() == changed.commands() ? changed : now;
        }
    }

    private Mark closed(Mark opened, Duration time) throws InterruptedException {
        long end = opened.nanos() + time.toNanos();
        Mark now = mark();
        while (now.nanos() < end || (now.grants() == opened.grants() && now.nanos() < end + PATIENCE.toNanos())) {
            now = later();
        }
        return now;
    }

    private Mark later() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(1);
        return mark();
    }

    private Mark mark() {
        long now = System.nanoTime();
        return new Mark(
                now,
                commands.getAsLong(),
                visitors.stream().map(visitor -> visitor.log(now)).toList());
    }

    private static Window between(Mark opened, Mark closed) {
        return new Window(
                closed.nanos() - opened.nanos(),
                IntStream.range(0, closed.logs().size())
                        .mapToObj(one -> closed.logs().get(one).grants()
                                - opened.logs().get(one).grants())
                        .toList(),
                closed.logs().stream().mapToLong(Log::longestWaitNanos).max().orElse(0),
                closed.commands() - opened.commands());
    }
}
