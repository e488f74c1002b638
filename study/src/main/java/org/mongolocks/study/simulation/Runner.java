package org.mongolocks.study.simulation;

import java.util.function.Supplier;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/** Runs programs of one client in one session, as the runners of the clients do. */
final class Runner {
    private final Driver driver;
    private final SimulatedProcess process;
    private final Session session;
    private final Purpose purpose;

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

    Runner(Driver driver, SimulatedProcess process, Purpose purpose) {
        this.driver = driver;
        this.process = process;
        this.session = driver.open();
        this.purpose = purpose;
    }

    <R> void run(Supplier<Step<R>> program, Ending<R> ending) {
        go(program.get(), ending);
    }

    /** Tells where in the server's order the last answered command stands. */
    long lastCommit() {
        return session.lastCommit();
    }

    void close() {
        driver.close(session);
    }

    private <R> void go(Step<R> step, Ending<R> ending) {
        if (step instanceof Step.Call<R> call) {
            driver.send(session, purpose, call.op(), reply -> go(call.then().apply(reply), ending));
        } else if (step instanceof Step.Pause<R> pause) {
            new Rest<>(pause, ending).begin();
        } else if (step instanceof Step.Done<R> done) {
            ending.done(done.result());
        } else {
            ending.failed(((Step.Fail<R>) step).failure());
        }
    }

    /** Is a pause, which ends once: by the timer or by the signal. */
    private final class Rest<R> {
        private final Step.Pause<R> pause;
        private final Ending<R> ending;
        private boolean over;

        Rest(Step.Pause<R> pause, Ending<R> ending) {
            this.pause = pause;
            this.ending = ending;
        }

        void begin() {
            var timeout = process.timer().schedule(pause.delay(), this::end);
            pause.wakeUp().ifPresent(signal -> {
                var unused = signal.thenRun(() -> {
                    timeout.cancel();
                    process.after(0, this::end);
                });
            });
        }

        private void end() {
            if (!over) {
                over = true;
                go(pause.then().get(), ending);
            }
        }
    }
}
