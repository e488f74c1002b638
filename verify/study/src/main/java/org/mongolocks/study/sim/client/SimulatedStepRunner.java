package org.mongolocks.study.sim.client;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.mongolocks.LockException;
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
import org.mongolocks.study.sim.time.VirtualTime.RunOnce;

/** Runs programs of one client in one session, as the clients' runners do. */
public final class SimulatedStepRunner {
    private final SimulatedDriver driver;
    private final SimulatedProcess process;
    private final SimulatedSession session;
    private final Purpose purpose;
    /** The number of the newest run; replies of earlier runs are ignored. */
    private int newest;

    /**
     * The callback for the end of a program.
     *
     * @param <R> the type of its result
     */
    public interface Ending<R> {
        /** The program has a result. */
        void done(R result);

        /** The program failed. */
        void failed(Reply.Failed failure);

        /** The library has aborted the program; only programs that declare this can be aborted. */
        default void brokenOff(LockException error) {
            throw error;
        }
    }

    SimulatedStepRunner(SimulatedDriver driver, SimulatedProcess process, Purpose purpose, Optional<TimeBudget> limit) {
        this.driver = driver;
        this.process = process;
        this.session = driver.open();
        this.purpose = purpose;
        session.limit(limit.map(commands -> new TimeLimit(commands, process.clock())));
    }

    /** Sets the acquisition of the following commands. */
    public SimulatedStepRunner serving(int grant) {
        session.serve(grant);
        return this;
    }

    public <R> void run(Supplier<Step<R>> program, Ending<R> ending) {
        new Run<>(++newest, ending, false).proceed(program);
    }

    /** Runs a program, closes the session, and calls back with the result or the failure. */
    public <R> void runThenClose(Supplier<Step<R>> program, Consumer<R> done, Consumer<Reply.Failed> failed) {
        run(program, new Ending<>() {
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
        new Run<>(++newest, ending, true).proceed(program);
    }

    /** Sends an operation outside of any program, in the same session. */
    void send(MongoOp op, Consumer<Reply> then) {
        driver.send(session, purpose, op, then);
    }

    /** Aborts the current run, as an interrupt does, and its transaction; its last operation may still be executed. */
    void stop(Runnable then) {
        newest++;
        abort(then);
        session.markDirty();
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

    public void close() {
        driver.close(session);
    }

    /** One run of one program. */
    private final class Run<R> {
        private final int number;
        private final Ending<R> ending;
        private final boolean leavesOpen;

        Run(int number, Ending<R> ending, boolean leavesOpen) {
            this.number = number;
            this.ending = ending;
            this.leavesOpen = leavesOpen;
        }

        void proceed(Supplier<Step<R>> program) {
            Step<R> next;
            try {
                next = program.get();
            } catch (LockException e) {
                end(() -> ending.brokenOff(e));
                return;
            }
            go(next);
        }

        private void go(Step<R> step) {
            if (number != newest) {
                return;
            }
            if (step instanceof Step.Call<R> call) {
                driver.send(session, purpose, call.op(), reply -> answered(call, reply));
            } else if (step instanceof Step.Pause<R> pause) {
                rest(driver.paced(session, pause));
            } else if (step instanceof Step.Done<R> done) {
                ended(done.result());
            } else {
                end(() -> ending.failed(((Step.Fail<R>) step).failure()));
            }
        }

        private void ended(R result) {
            if (leavesOpen) {
                ending.done(result);
            } else {
                end(() -> ending.done(result));
            }
        }

        /** Ends the run; its transaction does not stay open. */
        private void end(Runnable then) {
            abort(() -> {
                if (number == newest) {
                    then.run();
                }
            });
        }

        private void answered(Step.Call<R> call, Reply reply) {
            if (number == newest) {
                proceed(() -> call.then().apply(reply));
            }
        }

        /** Waits once: until the timer or the signal. */
        private void rest(Step.Pause<R> pause) {
            RunOnce end = new RunOnce(() -> proceed(pause.then()));
            var timeout = process.timer().schedule(pause.delay(), end);
            pause.wakeUp().ifPresent(signal -> {
                var unused = signal.thenRun(() -> {
                    timeout.cancel();
                    process.after(0, end);
                });
            });
        }
    }
}
