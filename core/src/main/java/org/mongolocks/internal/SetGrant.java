package org.mongolocks.internal;

import java.util.List;
import java.util.Optional;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.Lease;
import org.mongolocks.LockException;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;

/** Tells how an attempt to acquire several locks ended: with all of them, or with none. */
public sealed interface SetGrant {
    /**
     * Gives what is held.
     *
     * @param task what was to be done, for messages
     * @return the locks in the order of their names, or empty if another holds one of them
     * @throws LockException if none is held for another reason
     */
    Optional<List<Hold>> held(String task);

    /**
     * All are held.
     *
     * @param holds the locks, in the order of their names
     */
    record Held(List<Hold> holds) implements SetGrant {
        @Override
        public Optional<List<Hold>> held(String task) {
            return Optional.of(holds);
        }
    }

    /**
     * Another holds one of them.
     *
     * @param holder which, and who
     */
    record Contended(LockSnapshot holder) implements SetGrant {
        @Override
        public Optional<List<Hold>> held(String task) {
            return Optional.empty();
        }
    }

    /**
     * One was lost while another was asked for.
     *
     * @param lease which
     * @param reason why
     */
    record Lost(Lease lease, LossReason reason) implements SetGrant {
        @Override
        public Optional<List<Hold>> held(String task) {
            throw new LockException(task + " was given up: lock '" + lease.name() + "' was lost (" + reason
                    + ") before all were held; what was held has been given back");
        }
    }

    /**
     * Some of them may be held in the name of the owner until the ttl has passed.
     *
     * @param outcome who, and the fault that hid the answer
     */
    record Unknown(LockOutcome.Indeterminate outcome) implements SetGrant {
        @Override
        public Optional<List<Hold>> held(String task) {
            throw new IndeterminateLockException(
                    task + " failed, and what may have been acquired could not be taken back", outcome);
        }
    }
}
