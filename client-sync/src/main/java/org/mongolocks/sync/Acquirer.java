package org.mongolocks.sync;

import static java.lang.System.Logger.Level.WARNING;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.mongolocks.ClientSettings;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockRequest;
import org.mongolocks.internal.Acquisition;
import org.mongolocks.internal.Hold;
import org.mongolocks.internal.Holds;

/** Acquires locks on the calling thread, and takes back what nobody will hold. Thread-safe. */
final class Acquirer {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");
    private static final String STAYS = "What may have been acquired stays until its ttl has passed";

    private final Sessions sessions;
    private final Holds holds;
    private final Executor later;

    Acquirer(Sessions sessions, Holds holds, Executor later) {
        this.sessions = sessions;
        this.holds = holds;
        this.later = later;
    }

    Optional<Hold> acquire(LockRequest request) throws InterruptedException {
        holds.requireOpen();
        ClientSettings settings = sessions.settings();
        Acquisition acquisition = new Acquisition(settings, request, settings.newOwner(), sessions.room());
        String task = sessions.task("Acquiring", request.name());
        StepRunner runner = sessions.open(acquisition.limit());
        try {
            return acquire(runner, task, acquisition, request);
        } finally {
            acquisition.end();
            end(runner, task, acquisition);
        }
    }

    private Optional<Hold> acquire(StepRunner runner, String task, Acquisition acquisition, LockRequest request)
            throws InterruptedException {
        try {
            return held(task, runner.run(task, () -> holds.whileOpen(acquisition.start())), request);
        } catch (InterruptedException | RuntimeException e) {
            takeBack(runner, task, acquisition, e);
            throw e;
        }
    }

    /** A client that was closed meanwhile holds nothing; the grant is taken back then. */
    private Optional<Hold> held(String task, LockOutcome outcome, LockRequest request) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            Optional<Hold> hold = holds.add(request, acquired.lease());
            if (hold.isEmpty()) {
                holds.requireOpen();
            }
            return hold;
        }
        if (outcome instanceof LockOutcome.Indeterminate unknown) {
            throw new IndeterminateLockException(task + " got no answer, and could not be taken back", unknown);
        }
        return Optional.empty();
    }

    private static void takeBack(StepRunner runner, String task, Acquisition acquisition, Exception cutShort) {
        if (acquisition.mayHold()) {
            try {
                runner.runUninterruptibly(task + " was cut short; releasing it", acquisition::takeBack);
            } catch (RuntimeException e) {
                cutShort.addSuppressed(e);
            }
        }
    }

    /** What is owed is done in the same session, which may end later than the call. */
    private void end(StepRunner runner, String task, Acquisition acquisition) {
        if (!acquisition.isOwing()) {
            runner.close();
            return;
        }
        try {
            later.execute(() -> giveBack(runner, task, acquisition));
        } catch (RejectedExecutionException e) {
            runner.close();
            LOG.log(WARNING, STAYS, e);
        }
    }

    private static void giveBack(StepRunner runner, String task, Acquisition acquisition) {
        acquisition.limit().lift();
        try (runner) {
            runner.runUninterruptibly(task + " got no answer in time; releasing it", acquisition::takeBack);
        } catch (RuntimeException e) {
            LOG.log(WARNING, STAYS, e);
        }
    }
}
