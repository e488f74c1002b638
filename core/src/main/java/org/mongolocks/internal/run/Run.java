package org.mongolocks.internal.run;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.run.Run.Action.Done;
import org.mongolocks.internal.run.Run.Action.End;
import org.mongolocks.internal.run.Run.Action.EndTransaction;
import org.mongolocks.internal.run.Run.Action.Fail;
import org.mongolocks.internal.run.Run.Action.Pause;
import org.mongolocks.internal.run.Run.Action.Send;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * The state machine of one run of a program: without I/O, threads, or a clock of its own. Each event returns the next
 * {@link Action}; a client has a loop that performs it and reports the next event. The actions of one run, its
 * compensations included, are performed in one session: once the release that compensates an acquisition is answered,
 * the server refuses any late command of that acquisition.
 *
 * <pre>
 * state          event                                          action           next state
 * ------------   --------------------------------------------   --------------   --------------
 * New            start                                          the first step   Program
 * Program        answered or resumed: a command follows         Send             Program
 *                ... for which no time is left                  the step after   Program
 *                                                               the refusal
 *                answered or resumed: a pause follows           Pause            Program
 *                resumed, while the server is overloaded        Pause: a turn    Program
 *                answered or resumed: the result                Done             Ended
 *                the program fails: throws its exception
 * New            abort                                          Fail             Ended
 * Program,       abort: by that exception, an interrupt or a    its first step   Compensating
 * Ended          cancellation, and something may be stored
 *                abort, and nothing is stored                   Fail             Ended
 * Compensating   it ends; it fails, or abort: suppressed        Fail             Ended
 * Ended          end, and a compensation is pending             its first step   Pending
 *                end                                            End              Closed
 * Pending        it ends; it fails, or abort: logged            End              Closed
 * </pre>
 *
 * <p>A program or compensation that has begun a transaction ends it first: {@link EndTransaction}. Steps of a compensation
 * are sent and paused as those of the program are. Not thread-safe: one event at a time.
 *
 * @param <R> the result of the program
 */
public final class Run<R> {
    private final ClientRuns runs;
    private final LockTask task;
    private final TimeBudget limit;
    private final CompensatedProgram<R> program;
    private final boolean keepsTransaction;
    private State state = State.NEW;
    /** The command or the pause to go on from; null while a transaction is ended. */
    private @Nullable Step<?> step;

    private boolean isTurn;
    private boolean mayBeInTransaction;
    private @Nullable Action<R> outcome;
    private Optional<Reply.Failed> failure = Optional.empty();

    private enum State {
        NEW,
        PROGRAM,
        ABORTED,
        COMPENSATING,
        ENDED,
        PENDING,
        CLOSED
    }

    /**
     * What the loop of a client performs next.
     *
     * @param <R> the result of the program
     */
    public sealed interface Action<R> {
        /** Sends an operation. Its reply is the next event. */
        record Send<R>(MongoOp op) implements Action<R> {}

        /**
         * Waits for that time, or until the signal completes; then the run is resumed.
         *
         * @param wakeUp ends the pause earlier, if present
         */
        record Pause<R>(Duration delay, Optional<CompletableFuture<Void>> wakeUp) implements Action<R> {}

        /** Aborts the transaction of the session, if one is open; then the run is resumed. */
        record EndTransaction<R>() implements Action<R> {}

        /** Delivers the result. */
        record Done<R>(R result) implements Action<R> {}

        /** Delivers the error by which the run was aborted. */
        record Fail<R>(Throwable error) implements Action<R> {}

        /** Closes the session: nothing is left to do. */
        record End<R>() implements Action<R> {}
    }

    private Run(
            ClientRuns runs, LockTask task, TimeBudget limit, CompensatedProgram<R> program, boolean keepsTransaction) {
        this.runs = runs;
        this.task = task;
        this.limit = limit;
        this.program = program;
        this.keepsTransaction = keepsTransaction;
        this.mayBeInTransaction = keepsTransaction;
    }

    /**
     * Creates a run.
     *
     * @param task describes it in exceptions
     * @param limit the time limit of its commands
     */
    public static <R> Run<R> of(ClientRuns runs, LockTask task, TimeBudget limit, CompensatedProgram<R> program) {
        return new Run<>(runs, task, limit, program, false);
    }

    /** Creates one of several runs in a session, which leaves its transaction open unless it fails. */
    public static <R> Run<R> keepingTransaction(
            ClientRuns runs, LockTask task, TimeBudget limit, Supplier<Step<R>> program) {
        return new Run<>(runs, task, limit, program::get, true);
    }

    /** Starts the program. This and each further event throws what the program throws; the loop then aborts the run. */
    public Action<R> start() {
        state = State.PROGRAM;
        return follow(program.start());
    }

    /** Continues with the reply to the operation of a {@link Send}. */
    public Action<R> answered(Reply reply) {
        return step instanceof Step.Call<?> call ? follow(call.then().apply(reply)) : unexpected("reply");
    }

    /**
     * Continues after a {@link Pause} or an {@link EndTransaction}. While the server is overloaded, what follows a pause
     * waits for its turn: a program pauses before each retry and each poll, and its leases count from what follows.
     */
    public Action<R> resumed() {
        if (step == null) {
            return transactionEnded();
        }
        if (!(step instanceof Step.Pause<?> pause)) {
            return unexpected("end of a pause");
        }
        Duration turn = isTurn ? Duration.ZERO : runs.turn(limit);
        isTurn = !turn.isZero();
        return isTurn
                ? new Pause<>(turn, Optional.of(runs.pressure().calm()))
                : follow(pause.then().get());
    }

    /**
     * Ends the program: because it has failed, or its caller does not wait any longer, which may be after its result. The
     * loop calls it instead of the next event; the server may have executed the last operation.
     */
    public Action<R> abort(Throwable cause) {
        isTurn = false;
        switch (state) {
            case NEW, PROGRAM, ENDED -> {
                state = State.ABORTED;
                outcome = new Fail<>(cause);
            }
            case ABORTED, COMPENSATING -> addSuppressed(cause);
            case PENDING -> logPending(cause);
            case CLOSED -> unexpected("abort by " + cause);
        }
        return endTransaction();
    }

    /** Ends the run, once its result was delivered. What is left to do after that has no caller, nor does it throw. */
    public Action<R> end() {
        state = State.PENDING;
        try {
            program.close();
            Optional<PendingCompensation> pending = program.pendingCompensation();
            return pending.isPresent() ? follow(pending.get().repeated()) : transactionEnded();
        } catch (RuntimeException | Error e) {
            // The session is closed in any case.
            return abort(e);
        }
    }

    /** Returns the failure with which the program has ended. */
    public Optional<Reply.Failed> failure() {
        return failure;
    }

    private Action<R> follow(Step<?> first) {
        Step<?> next = first;
        while (next instanceof Step.Call<?> call) {
            Optional<Reply> refused = limit.rejectIfLate(call.op(), runs.nanoTime());
            if (refused.isEmpty()) {
                step = call;
                mayBeInTransaction |= isStart(call.op());
                return new Send<>(call.op());
            }
            next = call.then().apply(refused.get());
        }
        if (next instanceof Step.Pause<?> pause) {
            step = pause;
            return new Pause<>(pause.delay(), pause.wakeUp());
        }
        return ended(next);
    }

    private static boolean isStart(MongoOp op) {
        return op instanceof MongoOp.Transaction transaction && transaction.boundary() == Boundary.START;
    }

    private Action<R> ended(Step<?> last) {
        if (last instanceof Step.Fail<?> fail) {
            failed(fail.failure());
        } else if (state == State.PROGRAM) {
            outcome = new Done<>(result(last));
            mayBeInTransaction &= !keepsTransaction;
        }
        return endTransaction();
    }

    private void failed(Reply.Failed lost) {
        switch (state) {
            case PROGRAM -> {
                failure = Optional.of(lost);
                throw task.exception(lost);
            }
            case PENDING -> logPending(task.exception(lost));
            default -> addSuppressed(task.and(" was aborted; releasing it").exception(lost));
        }
    }

    @SuppressWarnings("unchecked") // The last step of the program itself.
    private R result(Step<?> last) {
        return ((Step.Done<R>) last).result();
    }

    private Action<R> endTransaction() {
        step = null;
        if (mayBeInTransaction) {
            mayBeInTransaction = false;
            return new EndTransaction<>();
        }
        return transactionEnded();
    }

    private Action<R> transactionEnded() {
        if (state == State.PENDING) {
            state = State.CLOSED;
            return new End<>();
        }
        if (state == State.ABORTED && program.needsCompensation()) {
            state = State.COMPENSATING;
            return follow(program.compensate());
        }
        state = State.ENDED;
        return outcome == null ? unexpected("end of a transaction") : outcome;
    }

    private void addSuppressed(Throwable second) {
        if (outcome instanceof Fail<R> fail && fail.error() != second) {
            fail.error().addSuppressed(second);
        }
    }

    private void logPending(Throwable error) {
        BackgroundLog.log(
                WARNING,
                task + " got no reply; a lock that may have been acquired stays held until its ttl has passed",
                error);
    }

    private Action<R> unexpected(String event) {
        throw new IllegalStateException("Unexpected in state " + state + ": " + event);
    }
}
