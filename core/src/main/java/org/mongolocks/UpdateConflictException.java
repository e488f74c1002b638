package org.mongolocks;

import java.io.Serial;
import java.util.Optional;

/**
 * An exception thrown when an optimistic update lost every race: other writers changed the document between its reads and
 * its writes. Nothing was written. The same call may succeed later; with many writers use more attempts, longer waits, or
 * a lock.
 */
public final class UpdateConflictException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int attempts;
    private final long lastVersion;

    /**
     * Creates the exception.
     *
     * @param document a phrase for the document
     * @param attempts how often it was read
     * @param lastVersion the version that was read last
     */
    public UpdateConflictException(String document, int attempts, long lastVersion) {
        super(
                "The update of " + document + " lost every race: it read the document " + attempts
                        + " times, at last with version " + lastVersion,
                null,
                Optional.empty(),
                true);
        this.attempts = attempts;
        this.lastVersion = lastVersion;
    }

    /**
     * Returns how often the document was read and changed.
     *
     * @return the number of attempts
     */
    public int attempts() {
        return attempts;
    }

    /**
     * Returns the version that was read last.
     *
     * @return the version, 0 for a document without one
     */
    public long lastVersion() {
        return lastVersion;
    }
}
