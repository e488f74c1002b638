package org.mongolocks.sync;

import static java.lang.System.Logger.Level.WARNING;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.mongolocks.ClientSettings;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.internal.acquire.Acquisition;
import org.mongolocks.internal.acquire.MultiLockAcquisition;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.internal.run.CompensatedProgram;
import org.mongolocks.internal.run.TimeBudget;

/** A runner of acquisitions on the calling thread, which compensates when one is aborted. Thread-safe. */
final class Acquirer {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");
    private static final String EXPIRES_AFTER_TTL =
            "A lock that may have been acquired stays held until its ttl has passed";

    private final Sessions sessions;
    private final HoldRegistry holds;
    private final Executor later;

    Acquirer(Sessions sessions, HoldRegistry holds, Executor later) {
        this.sessions = sessions;
        this.holds = holds;
        this.later = later;
    }

    /** Acquires a lock; the {@code Patience} decides what an interrupt does. */
    Optional<Hold> acquire(LockRequest request, InterruptPolicy patience) throws InterruptedException {
        holds.requireOpen();
        ClientSettings settings = sessions.settings();
        Acquisition acquisition = new Acquisition(settings, request, settings.newOwner(), sessions.room());
        String task = sessions.task("Acquiring", request.name());
        return run(task, acquisition, patience, outcome -> held(task, outcome, request));
    }

    /** Acquires several locks, all or none. */
    Optional<List<Hold>> acquireAll(MultiLockRequest request) throws InterruptedException {
        holds.requireOpen();
        String task = sessions.task("Acquiring", request.names());
        MultiLockAcquisition acquisition =
                new MultiLockAcquisition(sessions.settings(), request, sessions.room(), holds);
        return run(task, acquisition, new InterruptPolicy.Interruptible(), grant -> grant.held(task));
    }

    /** Runs an acquisition, and compensates if it is aborted. */
    <R, H> H run(String task, CompensatedProgram<R> undertaking, InterruptPolicy patience, Function<R, H> held)
            throws InterruptedException {
        StepRunner runner = sessions.open(undertaking.limit());
        try {
            return run(runner, task, undertaking, patience, held);
        } finally {
            undertaking.close();
            end(runner, task, undertaking);
        }
    }

    private <R, H> H run(
            StepRunner runner,
            String task,
            CompensatedProgram<R> undertaking,
            InterruptPolicy patience,
            Function<R, H> held)
            throws InterruptedException {
        try {
            return held.apply(runner.run(task, () -> holds.failWhenClosed(undertaking.start()), patience));
        } catch (InterruptedException | RuntimeException e) {
            compensate(runner, task, undertaking, e);
            throw e;
        }
    }

    /** A client that was closed meanwhile holds nothing; the grant is released then. */
    private Optional<Hold> held(String task, LockOutcome outcome, LockRequest request) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            Optional<Hold> hold = holds.add(request, acquired.lease());
            if (hold.isEmpty()) {
                holds.requireOpen();
            }
            return hold;
        }
        if (outcome instanceof LockOutcome.Indeterminate unknown) {
            throw new IndeterminateLockException(task + " got no reply, and could not be compensated", unknown);
        }
        return Optional.empty();
    }

    private static void compensate(
            StepRunner runner, String task, CompensatedProgram<?> undertaking, Exception cutShort) {
        if (undertaking.needsCompensation()) {
            try {
                runner.runUninterruptibly(task + " was aborted; releasing it", undertaking::compensate);
            } catch (RuntimeException e) {
                cutShort.addSuppressed(e);
            }
        }
    }

    /** A pending compensation runs in the same session, which may end later than the call. */
    private void end(StepRunner runner, String task, CompensatedProgram<?> undertaking) {
        if (!undertaking.hasPendingCompensation()) {
            runner.close();
            return;
        }
        try {
            later.execute(() -> compensateLater(runner, task, undertaking));
        } catch (RejectedExecutionException e) {
            runner.close();
            LOG.log(WARNING, EXPIRES_AFTER_TTL, e);
        }
    }

    private static void compensateLater(StepRunner runner, String task, CompensatedProgram<?> undertaking) {
        undertaking.limit().ifPresent(TimeBudget::removeDeadline);
        try (runner) {
            runner.runUninterruptibly(task + " got no reply in time; releasing it", undertaking::compensate);
        } catch (RuntimeException e) {
            LOG.log(WARNING, EXPIRES_AFTER_TTL, e);
        }
    }
}
