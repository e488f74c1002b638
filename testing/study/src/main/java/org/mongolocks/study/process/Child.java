package org.mongolocks.study.process;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mongolocks.process.ChildProcess;
import org.mongolocks.study.process.child.ChildMain;
import org.mongolocks.study.process.fault.WrongClock;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.ChildMessage.Clocks;
import org.mongolocks.study.process.message.MessageLine;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.server.ProtectedResources.Values;

/** A child as its parent sees it. An invalid message or an unexpected end of the child fails the run. */
final class Child implements ChildProcess.Listener, AutoCloseable {
    /** A small heap: a run needs several processes. */
    private static final List<String> OPTIONS = List.of("-Xmx64m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");

    private static final Duration EXIT_LIMIT = Duration.ofSeconds(5);

    private final int number;
    private final ChildProcess process;
    private final RunObserver observer;
    private final PointListener points;
    private final Optional<WrongClock> clock;
    /** The clocks of this process before the child started, and then those of the child at its start. */
    private Clocks first;

    private volatile boolean hasBegun;
    private volatile boolean isKilled;
    private volatile boolean hasEnded;
    private volatile long commands;

    /** Called when a holder in a child reaches a fault point; the holder waits for the return. */
    interface PointListener {
        /** Returns how long the work that begins there takes; zero for as long as usual. */
        Duration reached(Child child, FaultPoint point) throws InterruptedException;
    }

    /**
     * Starts a child.
     *
     * @param clock its wrong wall clock, if any
     * @throws RunFailedException if a wrong clock cannot be given to it
     */
    static Child start(int number, RunObserver observer, PointListener points, Optional<WrongClock> clock) {
        Map<String, String> environment = clock.map(wrong -> wrong.environment(
                        WrongClock.library().orElseThrow(() -> new RunFailedException("faketime is not installed"))))
                .orElse(Map.of());
        // Read before the start, because the child may read its clock before it is here.
        Clocks started = Clocks.now();
        ChildProcess process = ChildProcess.start(ChildMain.class, OPTIONS, List.of(), environment);
        return new Child(number, process, observer, points, started, clock);
    }

    /**
     * Listens to a process.
     *
     * @param started the clocks of this process before the child was started
     */
    @SuppressWarnings("this-escape") // The last statement.
    Child(
            int number,
            ChildProcess process,
            RunObserver observer,
            PointListener points,
            Clocks started,
            Optional<WrongClock> clock) {
        this.number = number;
        this.process = process;
        this.observer = observer;
        this.points = points;
        this.first = started;
        this.clock = clock;
        process.listen(this);
    }

    /** Returns its number in the run, from 1. */
    int number() {
        return number;
    }

    boolean hasBegun() {
        return hasBegun;
    }

    /** Returns whether it has ended, normally or because it was killed. */
    boolean hasEnded() {
        return hasEnded || isKilled;
    }

    long commands() {
        return commands;
    }

    /** Sends a message, unless it has ended. */
    void send(ParentMessage message) {
        if (!hasEnded()) {
            process.send(MessageLine.of((Record) message));
        }
    }

    void kill() {
        isKilled = true;
        process.kill();
    }

    /** Suspends the process until {@link #resume}. */
    void suspend() {
        process.suspend();
    }

    void resume() throws InterruptedException {
        process.resume();
    }

    @Override
    public void close() {
        process.close();
    }

    @Override
    public void received(String line) {
        try {
            take(MessageLine.read(ChildMessage.class, line));
        } catch (IllegalArgumentException e) {
            fail(" sent an invalid message: " + e.getMessage(), e);
        } catch (RunFailedException e) {
            observer.fail(e);
        } catch (RuntimeException e) {
            fail(" could not be served: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void fail(String what, Throwable cause) {
        observer.fail(new RunFailedException("Child " + number + what, cause));
    }

    private void take(ChildMessage report) throws InterruptedException {
        if (report instanceof ChildMessage.Happened happened) {
            observer.record(number, happened.event());
        } else if (report instanceof ChildMessage.Next next) {
            commands = next.commands();
            hasBegun = true;
            send(new ParentMessage.Answer(next.worker(), observer.next(number, next), Values.NONE, 0));
        } else if (report instanceof ChildMessage.Reached reached) {
            long workNanos = points.reached(this, reached.point()).toNanos();
            if (!hasEnded()) {
                send(new ParentMessage.Answer(reached.worker(), 0, observer.used(number, reached), workNanos));
            }
        } else if (report instanceof ChildMessage.Hello hello) {
            check(hello.clocks());
        } else if (report instanceof ChildMessage.Usage usage) {
            observer.measured(number, usage);
        } else if (report instanceof ChildMessage.Bye bye) {
            observer.ended(number, bye);
            hasEnded = true;
            clock.flatMap(wrong -> wrong.complaintAtEnd(first, bye.clocks())).ifPresent(this::failBecauseOfClock);
        } else if (report instanceof ChildMessage.Trouble trouble) {
            throw new RunFailedException("Child " + number + " cannot continue: " + trouble.what());
        }
    }

    /** Checks the clocks of the child at its start. */
    private void check(Clocks theirs) {
        Clocks now = Clocks.now();
        if (theirs.nanos() < first.nanos() || theirs.nanos() > now.nanos()) {
            throw new RunFailedException("Child " + number + " has a different monotonic clock from its parent");
        }
        clock.flatMap(wrong -> wrong.complaint(theirs, now)).ifPresent(this::failBecauseOfClock);
        first = theirs;
    }

    private void failBecauseOfClock(String complaint) {
        throw new RunFailedException("Child " + number + ": " + complaint);
    }

    @Override
    public void ended() {
        try {
            if (!hasEnded()) {
                process.endsWithin(EXIT_LIMIT);
                observer.fail(new RunFailedException(
                        "Child " + number + " exited without a message. Its output: " + process.errors()));
            }
            observer.gone(number);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
