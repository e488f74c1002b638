package org.mongolocks.study.simulation;

import java.util.Optional;
import java.util.function.Supplier;
import org.mongolocks.internal.CommandLimit;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/** Runs programs of one client in one session, as the runners of the clients do. */
final class Runner {
    private final Driver driver;
    private final SimulatedProcess process;
    private final Session session;
    private final Purpose purpose;
    /** What belongs to an earlier run than the newest is not heard any more. */
    private int newest;

    /**
     * Is told how a program ended.
     *
     * @param <R> what it results in
     */
    interface Ending<R> {
        /** It has a result. */
        void done(R result);

        /** It ended without one. */
        void failed(Reply.Failed failure);
    }

    Runner(Driver driver, SimulatedProcess process, Purpose purpose, Optional<CommandLimit> limit) {
        this.driver = driver;
        this.process = process;
        this.session = driver.open();
        this.purpose = purpose;
        session.limit(limit.map(commands -> new TimeLimit(commands, process.clock())));
    }

    /** Says which acquisition it is for. */
    Runner serving(int grant) {
        session.serve(grant);
        return this;
    }

    <R> void run(Supplier<Step<R>> program, Ending<R> ending) {
        new Run<>(++newest, ending).go(program.get());
    }

    /**
     * Ends the run that is under way, as an interrupt does, and its transaction; its last operation may be executed all the
     * same.
     */
    void stop(Runnable then) {
        newest++;
        abort(then);
        session.soil();
    }

    private void abort(Runnable then) {
        if (session.isInTransaction()) {
            driver.send(session, purpose, new MongoOp.Transaction("abort", Boundary.ABORT), reply -> then.run());
        } else {
            then.run();
        }
    }

    /** Tells where in the server's order the last answered command stands. */
    long lastCommit() {
        return session.lastCommit();
    }

    void close() {
        driver.close(session);
    }

    /** Is one run of one program. */
    private final class Run<R> {
        private final int number;
        private final Ending<R> ending;

        Run(int number, Ending<R> ending) {
            this.number = number;
            this.ending = ending;
        }

        void go(Step<R> step) {
            if (number != newest) {
                return;
            }
            if (step instanceof Step.Call<R> call) {
                driver.send(session, purpose, call.op(), reply -> answered(call, reply));
            } else if (step instanceof Step.Pause<R> pause) {
                rest(pause);
            } else if (step instanceof Step.Done<R> done) {
                end(() -> ending.done(done.result()));
            } else {
                end(() -> ending.failed(((Step.Fail<R>) step).failure()));
            }
        }

        /** No run leaves its transaction open. */
        private void end(Runnable then) {
            abort(() -> {
                if (number == newest) {
                    then.run();
                }
            });
        }

        private void answered(Step.Call<R> call, Reply reply) {
            if (number == newest) {
                go(call.then().apply(reply));
            }
        }

        /** A pause ends once: by the timer or by the signal. */
        private void rest(Step.Pause<R> pause) {
            Once end = new Once(() -> go(pause.then().get()));
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
