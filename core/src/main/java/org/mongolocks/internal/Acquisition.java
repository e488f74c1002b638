package org.mongolocks.internal;

import static org.mongolocks.spi.Fault.AMBIGUOUS;
import static org.mongolocks.spi.Fault.DUPLICATE_KEY;
import static org.mongolocks.spi.Fault.UNKNOWN_COMMIT;
import static org.mongolocks.spi.Fault.WRITE_CONFLICT;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.mongolocks.ClientSettings;
import org.mongolocks.Lease;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.TimeSource;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * Acquires one lock: asks, waits while another holds it, asks again after a fault, and takes an unanswered question
 * back. One object serves one run, on one thread at a time.
 *
 * <ol>
 *   <li>The strategy asks once. A grant ends the acquisition.
 *   <li>Contended: wait with growing, jittered pauses, never past the end of the holder's lease or the deadline, and ask
 *       again. At the deadline the outcome is {@link LockOutcome.Contended}.
 *   <li>A fault: ask again with the same owner, which finds a grant whose reply was lost.
 *   <li>Too many faults: if some question may have been heard, release in the owner's name. When that is answered, the
 *       acquisition has failed and nothing is held; when it is not, or when some question may be executed after it, the
 *       outcome is {@link LockOutcome.Indeterminate}.
 * </ol>
 */
public final class Acquisition {
    private final ClientSettings settings;
    private final TimeSource time;
    private final LockRequest request;
    private final Owner owner;
    private final Watch watch = new Watch();
    private final long deadlineNanos;
    private final FaultRetry faults;
    private int polls;
    private boolean asking;
    private boolean doubted;
    private boolean mayComeLate;

    /**
     * Begins an acquisition; the wait counts from here.
     *
     * @param settings the settings of the client
     * @param request what to acquire
     * @param owner a fresh owner
     */
    public Acquisition(ClientSettings settings, LockRequest request, Owner owner) {
        this.settings = settings;
        this.time = settings.time();
        this.request = request;
        this.owner = owner;
        long now = time.nanoTime();
        this.deadlineNanos = now + request.waitAtMost().toNanos();
        long patience = Math.max(
                request.waitAtMost().toNanos(), settings.commandTimeout().toNanos());
        this.faults = new FaultRetry(settings, now + patience);
    }

    /**
     * Gives the program.
     *
     * @return a program that ends with an outcome, or fails when nothing is held
     */
    public Step<LockOutcome> start() {
        return attempt();
    }

    /**
     * Tells whether the server may have granted the lock in a run that was cut short.
     *
     * @return true if {@link #takeBack()} is needed
     */
    public boolean mayHold() {
        return asking || doubted;
    }

    /**
     * Gives the program that releases whatever was granted to this acquisition.
     *
     * @return a program that ends with whether the lock was held, or fails when the server gave no answer
     */
    public Step<Boolean> takeBack() {
        long ttlFromNow = time.nanoTime() + request.ttl().toNanos();
        return new Releasing(settings, request.name(), owner, OptionalLong.empty(), ttlFromNow).start();
    }

    private Step<LockOutcome> attempt() {
        long started = time.nanoTime();
        asking = true;
        AcquireContext context =
                new AcquireContext(request.name(), owner, request.ttl(), started, watch.since(started));
        return settings.strategy().acquire(context).fold(this::answered, this::failed);
    }

    private Step<LockOutcome> answered(LockOutcome outcome) {
        faults.answered();
        doubted = false;
        mayComeLate = false;
        if (outcome instanceof LockOutcome.Acquired acquired) {
            return acquired(acquired.lease());
        }
        if (outcome instanceof LockOutcome.Contended contended) {
            asking = false;
            watch.saw(contended.holder(), time.nanoTime());
            return waitForTurn(contended.holder());
        }
        return Step.done(outcome);
    }

    /** A lease that has ended before its grant arrived is of no use; asking again makes it longer. */
    private Step<LockOutcome> acquired(Lease lease) {
        long now = time.nanoTime();
        if (!lease.remaining(now).isZero()) {
            return Step.done(new LockOutcome.Acquired(lease));
        }
        return now - deadlineNanos < 0 ? attempt() : takeBack().andThen(released -> look());
    }

    private Step<LockOutcome> waitForTurn(LockSnapshot holder) {
        Duration left = Duration.ofNanos(deadlineNanos - time.nanoTime());
        if (left.isNegative() || left.isZero()) {
            return Step.done(new LockOutcome.Contended(holder));
        }
        Duration poll = Duration.ofMillis(settings.polling().apply(++polls));
        Duration end = holder.isHeld() ? holder.remaining().orElse(holder.ttl()) : poll;
        return new Step.Pause<>(shortest(left, poll, end), this::attempt);
    }

    private Step<LockOutcome> failed(Reply.Failed failure) {
        asking = false;
        doubted |= failure.fault() == AMBIGUOUS || failure.fault() == UNKNOWN_COMMIT;
        mayComeLate |= failure.mayComeLate();
        return faults.again(failure, this::attempt, () -> enough(failure));
    }

    private Step<LockOutcome> enough(Reply.Failed failure) {
        if (failure.fault() == WRITE_CONFLICT || failure.fault() == DUPLICATE_KEY) {
            return outrun();
        }
        return doubted
                ? takeBack().fold(released -> takenBack(failure), lost -> unsettled(failure))
                : new Step.Fail<>(failure);
    }

    /** Others were faster each time. That is contention, though nobody may hold the lock at this moment. */
    private Step<LockOutcome> outrun() {
        faults.answered();
        if (time.nanoTime() - deadlineNanos < 0) {
            return waitForTurn(LockSnapshot.unused(request.name()));
        }
        return doubted ? takeBack().andThen(released -> look()) : look();
    }

    private Step<LockOutcome> look() {
        doubted = false;
        LockSnapshot unknown = LockSnapshot.unused(request.name());
        return settings.strategy()
                .inspect(request.name())
                .andThen(seen -> Step.done(new LockOutcome.Contended(seen.orElse(unknown))));
    }

    /** What the server may execute after the release cannot be taken back by it. */
    private Step<LockOutcome> takenBack(Reply.Failed failure) {
        doubted = false;
        return mayComeLate ? unsettled(failure) : new Step.Fail<>(failure);
    }

    private Step<LockOutcome> unsettled(Reply.Failed failure) {
        doubted = false;
        return Step.done(new LockOutcome.Indeterminate(owner, failure.cause()));
    }

    private static Duration shortest(Duration... durations) {
        return Collections.min(List.of(durations));
    }
}
