package org.mongolocks.internal.run;

import java.util.Optional;
import org.mongolocks.ClientSettings;
import org.mongolocks.LockName;

/**
 * An operation, as exceptions and logs describe it.
 *
 * @param description a phrase that begins a message
 * @param lock the lock that it concerns; empty for none, or several
 * @param settings the settings of the lock client; empty for a program that uses no lock
 */
public record LockTask(String description, Optional<LockName> lock, Optional<ClientSettings> settings) {
    /** Returns an operation that uses no lock. */
    public static LockTask withoutLock(String description) {
        return new LockTask(description, Optional.empty(), Optional.empty());
    }

    /** Returns the same task with a longer description. */
    public LockTask and(String more) {
        return new LockTask(description + more, lock, settings);
    }

    /** Returns the description. */
    @Override
    public String toString() {
        return description;
    }
}
