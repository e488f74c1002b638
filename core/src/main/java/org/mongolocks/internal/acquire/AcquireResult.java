package org.mongolocks.internal.acquire;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockException;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.internal.base.Durations;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.spi.LockStrategy.LockOutcome;

/** The result of an acquisition of one or several locks: all of them, or none. */
public sealed interface AcquireResult {
    /**
     * Returns the locks that are held.
     *
     * @param task the operation, for messages
     * @return the locks in the order of their names, or empty if another owner holds one of them
     * @throws LockException if none is held for another reason
     */
    Optional<List<Hold>> held(LockTask task);

    /**
     * All are held.
     *
     * @param holds the locks, in the order of their names
     */
    record Held(List<Hold> holds) implements AcquireResult {
        @Override
        public Optional<List<Hold>> held(LockTask task) {
            return Optional.of(holds);
        }
    }

    /**
     * Another owner holds one of them.
     *
     * @param lock that lock, with its holder
     * @param waitAtMost how long the acquisition would have waited
     */
    record Contended(LockSnapshot lock, Duration waitAtMost) implements AcquireResult {
        @Override
        public Optional<List<Hold>> held(LockTask task) {
            return Optional.empty();
        }
    }

    /**
     * One was lost while another was awaited.
     *
     * @param hold the lock that was lost
     * @param reason why it was lost
     */
    record Lost(Hold hold, LossReason reason) implements AcquireResult {
        @Override
        public Optional<List<Hold>> held(LockTask task) {
            String message = task + " was aborted: lock '" + hold.name() + "' was lost (" + reason
                    + ") before all were held: " + hold.lossDetails(reason) + "; the others have been released";
            throw new LockException(message, null, Optional.of(hold.name()), true);
        }
    }

    /**
     * Some of them may be held in the name of the owner until the ttl has passed.
     *
     * @param outcome the owner, and the fault of the lost reply
     * @param ttl the time
     */
    record Unknown(LockOutcome.Indeterminate outcome, Duration ttl) implements AcquireResult {
        @Override
        public Optional<List<Hold>> held(LockTask task) {
            throw IndeterminateOutcomeException.ofAcquire(
                    task + " got no reply, and could not be compensated: it may be held until its ttl of "
                            + Durations.text(ttl) + " has passed",
                    task.lock(),
                    outcome);
        }
    }
}
