package org.mongolocks.study.sim.client;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.internal.run.CompensatedProgram;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.Run;
import org.mongolocks.internal.run.Run.Action;
import org.mongolocks.internal.run.Run.Action.Done;
import org.mongolocks.internal.run.Run.Action.EndTransaction;
import org.mongolocks.internal.run.Run.Action.Fail;
import org.mongolocks.internal.run.Run.Action.Pause;
import org.mongolocks.internal.run.Run.Action.Send;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.study.sim.driver.SimulatedDriver;
import org.mongolocks.study.sim.driver.SimulatedProcess;
import org.mongolocks.study.sim.driver.SimulatedSession;
import org.mongolocks.study.sim.driver.TimeLimit;
import org.mongolocks.study.sim.net.Network.Purpose;

/** Performs the runs of one client in one session, one after another, as the clients' loops do: by events of the world. */
public final class SimulatedStepRunner {
    private static final LockTask TASK = LockTask.withoutLock("A simulated run");

    private final SimulatedDriver driver;
    private final SimulatedProcess process;
    private final SimulatedSession session;
    private final Purpose purpose;
    private final TimeBudget limit;
    private @Nullable Loop<?> newest;

    /**
     * The callback for the end of a run.
     *
     * @param <R> the type of its result
     */
    public interface Ending<R> {
        /** The program has a result. */
        void done(R result);

        /** The program failed. */
        void failed(Reply.Failed failure);

        /** The run was aborted; only programs that declare this can be aborted. */
        default void brokenOff(LockException error) {
            throw error;
        }

        /** A command of the run was answered. */
        default void received(Reply reply) {}
    }

    /**
     * @param isLimited whether the commands have no more time than the limit leaves
     */
    SimulatedStepRunner(
            SimulatedDriver driver, SimulatedProcess process, Purpose purpose, TimeBudget limit, boolean isLimited) {
        this.driver = driver;
        this.process = process;
        this.session = driver.open();
        this.purpose = purpose;
        this.limit = isLimited ? limit : TimeBudget.perCommand(driver.runs().commandTimeout());
        session.limit(isLimited ? Optional.of(new TimeLimit(limit, process.clock())) : Optional.empty());
    }

    /** Sets the acquisition of the following commands. */
    public SimulatedStepRunner serving(int grant) {
        session.serve(grant);
        return this;
    }

    public <R> void run(CompensatedProgram<R> program, Ending<R> ending) {
        begin(Run.of(driver.runs(), TASK, limit, program), ending);
    }

    /** Runs a program, closes the session, and calls back with the result or the failure. */
    public <R> void runThenClose(Supplier<Step<R>> program, Consumer<R> done, Consumer<Reply.Failed> failed) {
        run(program::get, new Ending<>() {
            @Override
            public void done(R result) {
                close();
                done.accept(result);
            }

            @Override
            public void failed(Reply.Failed failure) {
                close();
                failed.accept(failure);
            }
        });
    }

    /** Leaves the program's transaction open, unless the program fails. */
    <R> void leaveOpen(Supplier<Step<R>> program, Ending<R> ending) {
        begin(Run.keepingTransaction(driver.runs(), TASK, limit, program), ending);
    }

    private <R> void begin(Run<R> run, Ending<R> ending) {
        Loop<R> loop = new Loop<>(run, ending);
        newest = loop;
        loop.next(run::start);
    }

    /** Sends an operation outside of any program, in the same session. */
    void send(MongoOp op, Consumer<Reply> then) {
        driver.send(session, purpose, op, then);
    }

    /** Aborts the newest run, as an interrupt does; its last operation may still be executed. */
    void stop(LockException interrupt) {
        session.markDirty();
        if (newest != null) {
            newest.abort(interrupt);
        }
    }

    /** Aborts the transaction if one is open. */
    void abort(Runnable then) {
        if (session.isInTransaction()) {
            driver.send(session, purpose, new MongoOp.Transaction("abort", Boundary.ABORT), reply -> then.run());
        } else {
            then.run();
        }
    }

    /** Returns the position of the last command with a reply in the server's order. */
    long lastCommit() {
        return session.lastCommit();
    }

    /** Closes the session, once the newest run has no compensation pending. */
    void end() {
        if (newest != null) {
            newest.end();
        }
    }

    public void close() {
        driver.close(session);
    }

    private final class Loop<R> {
        private final Run<R> run;
        private final Ending<R> ending;
        /** The number of the newest event; what an action before that led to is ignored. */
        private int events;

        Loop(Run<R> run, Ending<R> ending) {
            this.run = run;
            this.ending = ending;
        }

        void next(Supplier<Action<R>> event) {
            events++;
            Action<R> action;
            try {
                action = event.get();
            } catch (LockException e) {
                abort(e);
                return;
            }
            perform(action, events);
        }

        void abort(LockException cause) {
            next(() -> run.abort(cause));
        }

        void end() {
            next(run::end);
        }

        private void perform(Action<R> action, int number) {
            if (action instanceof Send<R> send) {
                driver.send(session, purpose, send.op(), reply -> answered(reply, number));
            } else if (action instanceof Pause<R> pause) {
                rest(pause, number);
            } else if (action instanceof EndTransaction) {
                SimulatedStepRunner.this.abort(() -> resume(number));
            } else if (action instanceof Done<R> done) {
                ending.done(done.result());
            } else if (action instanceof Fail<R> fail) {
                run.failure().ifPresentOrElse(ending::failed, () -> ending.brokenOff((LockException) fail.error()));
            } else {
                close();
            }
        }

        private void answered(Reply reply, int number) {
            if (number == events) {
                ending.received(reply);
                next(() -> run.answered(reply));
            }
        }

        private void resume(int number) {
            if (number == events) {
                next(run::resumed);
            }
        }

        /** Waits until the timer or the signal. */
        private void rest(Pause<R> pause, int number) {
            Duration delay =
                    driver.mistake().pause(pause.delay(), pause.wakeUp().isPresent());
            var timeout = process.timer().schedule(delay, () -> resume(number));
            pause.wakeUp().ifPresent(signal -> {
                var unused = signal.thenRun(() -> {
                    timeout.cancel();
                    process.after(0, () -> resume(number));
                });
            });
        }
    }
}
