package org.mongolocks.sync;

import com.mongodb.ClientSessionOptions;
import com.mongodb.client.ClientSession;
import java.util.function.Supplier;
import org.mongolocks.internal.run.LockExceptions;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.RunnerSettings;
import org.mongolocks.spi.Step;

/**
 * A runner of programs on the calling thread, all in one session: once the release that compensates an acquisition is
 * answered, the server refuses any late command of that acquisition. Not thread-safe.
 */
final class StepRunner implements AutoCloseable {
    /** Sessions are used for their transaction numbers; causal consistency would only add waiting. */
    static final ClientSessionOptions SESSION =
            ClientSessionOptions.builder().causallyConsistent(false).build();

    private final ClientSession session;
    private final SyncPort port;
    private final RunnerSettings settings;
    private final Runnable ended;

    StepRunner(ClientSession session, SyncPort port, RunnerSettings settings, Runnable ended) {
        this.session = session;
        this.port = port;
        this.settings = settings;
        this.ended = ended;
    }

    /** Runs a program; an interrupt ends it, and its last operation may have been executed. */
    <R> R run(LockTask task, Supplier<Step<R>> program) throws InterruptedException {
        return run(task, program, new InterruptPolicy.Interruptible());
    }

    /** Runs a program to its end, even if the thread is interrupted. */
    <R> R runUninterruptibly(LockTask task, Supplier<Step<R>> program) {
        try {
            return run(task, program, new InterruptPolicy.Uninterruptible());
        } catch (InterruptedException e) {
            throw new IllegalStateException("An uninterruptible program was interrupted", e);
        }
    }

    /** Runs a program, and keeps the transaction that it has begun open unless it fails. */
    <R> R runKeepingTransaction(LockTask task, Supplier<Step<R>> program, InterruptPolicy patience)
            throws InterruptedException {
        boolean done = false;
        try {
            R result = steps(task, program, patience);
            done = true;
            return result;
        } finally {
            end(!done, patience);
        }
    }

    /** Returns the session, in which a transaction may be open. */
    ClientSession session() {
        return session;
    }

    /** Ends the transaction if one is open, even if the thread is interrupted. */
    void abort() {
        InterruptPolicy patience = new InterruptPolicy.Uninterruptible();
        try {
            patience.begin();
        } catch (InterruptedException e) {
            throw new IllegalStateException("An uninterruptible program was interrupted", e);
        } finally {
            end(true, patience);
        }
    }

    @Override
    public void close() {
        session.close();
        ended.run();
    }

    <R> R run(LockTask task, Supplier<Step<R>> program, InterruptPolicy patience) throws InterruptedException {
        try {
            return steps(task, program, patience);
        } finally {
            end(true, patience);
        }
    }

    private <R> R steps(LockTask task, Supplier<Step<R>> program, InterruptPolicy patience)
            throws InterruptedException {
        patience.begin();
        Step<R> step = program.get();
        while (!(step instanceof Step.Done<R> done)) {
            step = next(task, step, patience);
        }
        return done.result();
    }

    private void end(boolean aborts, InterruptPolicy patience) {
        if (aborts) {
            port.abort();
        }
        patience.end();
    }

    private <R> Step<R> next(LockTask task, Step<R> step, InterruptPolicy patience) throws InterruptedException {
        if (step instanceof Step.Call<R> call) {
            patience.begin();
            return call.then().apply(port.send(call.op(), patience));
        }
        if (step instanceof Step.Pause<R> pause) {
            patience.pause(settings.waitFor(pause));
            return pause.then().get();
        }
        throw LockExceptions.of(task, ((Step.Fail<R>) step).failure());
    }
}
