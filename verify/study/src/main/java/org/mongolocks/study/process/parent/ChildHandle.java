package org.mongolocks.study.process.parent;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.process.ChildProcess;
import org.mongolocks.study.process.fault.ClockSkew;
import org.mongolocks.study.process.fault.ProcessFault;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.ChildMessage.Clocks;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.process.message.RecordLine;
import org.mongolocks.study.process.observer.ChildObserver;
import org.mongolocks.study.process.observer.RunFailedException;
import org.mongolocks.study.sim.server.ProtectedResources.Values;

/** A child as its parent sees it. An invalid message or an unexpected end of the child fails the run. */
public final class ChildHandle implements ChildProcess.Listener, AutoCloseable {
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    private final int number;
    private final ChildProcess process;
    private final Context context;
    private final Optional<ClockSkew> clock;
    /** The clocks of this process before the child started, and then those of the child at its start. */
    private Clocks first;

    private volatile boolean hasBegun;
    private volatile boolean isKilled;
    private volatile boolean hasEnded;
    private volatile long commands;

    /**
     * What the children of a run have in common.
     *
     * @param observer receives what they report
     * @param fault the fault of holders
     * @param scene the actions of the fault
     */
    record Context(ChildObserver observer, ProcessFault fault, ProcessFault.Scene scene) {}

    /**
     * Creates a handle, which is to listen to its process.
     *
     * @param started the clocks of this process before the child was started
     * @param clock the wrong wall clock of the child, if any
     */
    ChildHandle(int number, ChildProcess process, Context context, Clocks started, Optional<ClockSkew> clock) {
        this.number = number;
        this.process = process;
        this.context = context;
        this.first = started;
        this.clock = clock;
    }

    /** Returns its number in the run, from 1. */
    public int number() {
        return number;
    }

    public boolean hasBegun() {
        return hasBegun;
    }

    /** Returns whether it has ended, normally or because it was killed. */
    public boolean hasEnded() {
        return hasEnded || isKilled;
    }

    long commands() {
        return commands;
    }

    /** Sends a message, unless it has ended. */
    public void send(ParentMessage message) {
        if (!hasEnded()) {
            process.send(RecordLine.of((Record) message));
        }
    }

    public void kill() {
        isKilled = true;
        process.kill();
    }

    /** Suspends the process until {@link #resume}. */
    public void suspend() {
        process.suspend();
    }

    /** Continues the process. */
    public void resume() throws InterruptedException {
        process.resume();
    }

    @Override
    public void close() {
        process.close();
    }

    @Override
    public void received(String line) {
        try {
            take(RecordLine.read(ChildMessage.class, line));
        } catch (IllegalArgumentException e) {
            fail(" sent an invalid message: " + e.getMessage(), e);
        } catch (RunFailedException e) {
            context.observer().fail(e);
        } catch (RuntimeException e) {
            fail(" could not be served: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void fail(String what, Throwable cause) {
        context.observer().fail(new RunFailedException("Child " + number + what, cause));
    }

    private void take(ChildMessage report) throws InterruptedException {
        ChildObserver observer = context.observer();
        if (report instanceof ChildMessage.Happened happened) {
            observer.record(number, happened.event());
        } else if (report instanceof ChildMessage.Read read) {
            Values values = observer.read(number, read.grantToken());
            send(new ParentMessage.Answer(read.worker(), 0, values));
        } else if (report instanceof ChildMessage.Write write) {
            observer.write(number, write.grantToken(), write.values());
            send(new ParentMessage.Answer(write.worker(), 0));
        } else if (report instanceof ChildMessage.Reached reached) {
            context.fault().reached(context.scene(), number, reached.point());
            send(new ParentMessage.Answer(reached.worker(), 0));
        } else if (report instanceof ChildMessage.Next next) {
            observer.next(number, next, lock -> send(new ParentMessage.Answer(next.worker(), lock)));
        } else {
            takeState(report);
        }
    }

    private void takeState(ChildMessage report) {
        ChildObserver observer = context.observer();
        if (report instanceof ChildMessage.Hello hello) {
            check(hello.clocks());
        } else if (report instanceof ChildMessage.Sent sent) {
            commands = sent.commands();
            hasBegun = true;
            observer.changed();
        } else if (report instanceof ChildMessage.Bye bye) {
            observer.ended(number, bye);
            hasEnded = true;
            clock.flatMap(skew -> skew.complaintAtEnd(first, bye.clocks())).ifPresent(this::complain);
            observer.changed();
        } else if (report instanceof ChildMessage.Usage usage) {
            observer.measured(number, usage);
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
        clock.flatMap(skew -> skew.complaint(theirs, now)).ifPresent(this::complain);
        first = theirs;
    }

    private void complain(String complaint) {
        throw new RunFailedException("Child " + number + ": " + complaint);
    }

    @Override
    public void ended() {
        try {
            if (!hasEnded()) {
                process.endsWithin(LAST_WORDS);
                context.observer()
                        .fail(new RunFailedException(
                                "Child " + number + " exited without a message. Its output: " + process.errors()));
            }
            context.observer().gone(number);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
