package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.mongolocks.benchmarks.harness.Visitor.Log;

/**
 * Has the lock while a crowd gathers, lets go of it when everybody waits, and counts what they do until the time is over. How a
 * crowd gathers and how it goes home costs commands that a grant does not. Then it calls everybody off.
 */
final class Clerk implements Callable<Optional<Window>> {
    /** When nothing was sent for so long all wait. */
    private static final Duration QUIET = Duration.ofMillis(50);
    /** Some never rest: they poll. */
    private static final Duration LONGEST_GATHERING = Duration.ofSeconds(1);
    /** A lock that comes round more rarely than that is counted as it is. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Runnable letGo;
    private final List<Visitor> visitors;
    private final LongSupplier commands;
    private final Duration time;

    private record Mark(long nanos, long commands, List<Log> logs) {
        long grants() {
            return logs.stream().mapToLong(Log::grants).sum();
        }

        boolean haveAllAsked() {
            return logs.stream().allMatch(log -> log.questions() > 0);
        }
    }

    /** Begins with the lock, and is told how to let go of it. */
    Clerk(Runnable letGo, List<Visitor> visitors, LongSupplier commands, Duration time) {
        this.letGo = letGo;
        this.visitors = List.copyOf(visitors);
        this.commands = commands;
        this.time = time;
    }

    @Override
    public Optional<Window> call() throws InterruptedException {
        try {
            gather();
            Mark opened = mark();
            letGo.run();
            return Optional.of(between(opened, closed(opened)));
        } finally {
            visitors.forEach(Visitor::callOff);
        }
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

    private Mark closed(Mark opened) throws InterruptedException {
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
