package org.mongolocks.study.process.parent;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.study.process.fault.ClockSkew;
import org.mongolocks.study.process.fault.ProcessFault;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.ChildMessage.Clocks;
import org.mongolocks.study.process.message.MessageChannel;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.process.observer.ChildObserver;
import org.mongolocks.study.process.observer.RunFailedException;
import org.mongolocks.study.sim.server.ProtectedResources;

/**
 * A child as its parent sees it: a process, a connection, and a thread that serves its requests. An invalid message or
 * an unexpected end of the child fails the run.
 */
public final class ChildHandle implements AutoCloseable {
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    private final ChildProcess process;
    private final ChildObserver observer;
    private final Circumstances circumstances;
    private @Nullable MessageChannel post;
    private Clocks first = new Clocks(0, 0);
    private volatile boolean hasBegun;
    private volatile boolean isKilled;
    private volatile boolean hasEnded;
    private volatile long commands;

    /** The environment of a child. */
    public record Circumstances(Optional<ClockSkew> clock, ProcessFault processFault, ProcessFault.Scene scene) {}

    public ChildHandle(ChildProcess process, ChildObserver observer, Circumstances circumstances) {
        this.process = process;
        this.observer = observer;
        this.circumstances = circumstances;
    }

    /** Returns its JVM. */
    public ChildProcess process() {
        return process;
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

    /** Takes over the connection on which the child has identified itself. */
    void meet(ChildMessage.Hello hello, MessageChannel connection) {
        Clocks now = Clocks.now();
        boolean isSameClock = hello.clocks().nanos() >= process.started().nanos()
                && hello.clocks().nanos() <= now.nanos();
        if (!isSameClock) {
            throw new RunFailedException("Child " + hello.child() + " has a different monotonic clock from its parent");
        }
        circumstances
                .clock()
                .flatMap(clock -> clock.complaint(hello.clocks(), now))
                .ifPresent(this::complain);
        first = hello.clocks();
        post = connection;
        Thread thread = new Thread(() -> serve(connection), "child-" + hello.child());
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Checks that the child has connected or still can.
     *
     * @throws RunFailedException if it has exited before it connected
     */
    void requireAliveUntilMet() {
        if (post == null && !process.isAlive()) {
            throw new RunFailedException(
                    "Child " + process.number() + " exited before it connected. Its output: " + process.printed());
        }
    }

    /** Sends a message, unless it has ended. */
    public void send(ParentMessage order) {
        MessageChannel connection = post;
        if (connection != null && !hasEnded()) {
            try {
                connection.send(order.line());
            } catch (java.io.UncheckedIOException e) {
                // The reading thread notices that the connection is closed.
                return;
            }
        }
    }

    public void kill() {
        isKilled = true;
        process.kill();
    }

    @Override
    public void close() {
        process.close();
        if (post != null) {
            post.close();
        }
    }

    private void serve(MessageChannel connection) {
        try {
            Optional<String> line = connection.receive();
            while (line.isPresent()) {
                take(ChildMessage.parse(line.get()));
                line = connection.receive();
            }
            gone();
        } catch (IllegalArgumentException e) {
            observer.fail(new RunFailedException(
                    "Child " + process.number() + " sent an invalid message: " + e.getMessage(), e));
        } catch (RunFailedException e) {
            observer.fail(e);
        } catch (RuntimeException e) {
            observer.fail(new RunFailedException("Child " + process.number() + " could not be served: " + e, e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void take(ChildMessage report) throws InterruptedException {
        if (report instanceof ChildMessage.Happened happened) {
            observer.record(process.number(), happened.event());
        } else if (report instanceof ChildMessage.Read read) {
            ProtectedResources.Values values = observer.read(process.number(), read.grantToken());
            answer(read.worker(), values.unfenced(), values.fenced(), values.touchFenced());
        } else if (report instanceof ChildMessage.Write write) {
            observer.write(process.number(), write.grantToken(), write.values());
            answer(write.worker());
        } else if (report instanceof ChildMessage.Reached reached) {
            circumstances.processFault().reached(circumstances.scene(), process.number(), reached.moment());
            answer(reached.worker());
        } else if (report instanceof ChildMessage.Next next) {
            observer.next(process.number(), next, lock -> answer(next.worker(), (long) lock));
        } else {
            takeState(report);
        }
    }

    private void takeState(ChildMessage report) {
        if (report instanceof ChildMessage.Sent sent) {
            commands = sent.commands();
            hasBegun = true;
            observer.changed();
        } else if (report instanceof ChildMessage.Bye bye) {
            observer.ended(process.number(), bye);
            hasEnded = true;
            circumstances
                    .clock()
                    .flatMap(clock -> clock.complaintAtEnd(first, bye.clocks()))
                    .ifPresent(this::complain);
            observer.changed();
        } else if (report instanceof ChildMessage.Usage usage) {
            observer.measured(process.number(), usage);
        } else if (report instanceof ChildMessage.Trouble trouble) {
            throw new RunFailedException("Child " + process.number() + " cannot continue: " + trouble.what());
        } else {
            throw new IllegalArgumentException("It has already identified itself");
        }
    }

    private void answer(int worker, Long... numbers) {
        send(new ParentMessage.Answer(worker, List.of(numbers)));
    }

    private void complain(String complaint) {
        throw new RunFailedException("Child " + process.number() + ": " + complaint);
    }

    private void gone() throws InterruptedException {
        if (!hasEnded()) {
            process.endsWithin(LAST_WORDS);
            observer.fail(new RunFailedException(
                    "Child " + process.number() + " exited without a message. Its output: " + process.printed()));
        }
        observer.gone(process.number());
    }
}
