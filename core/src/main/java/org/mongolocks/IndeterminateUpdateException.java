package org.mongolocks;

import com.mongodb.MongoException;
import java.io.Serial;
import java.util.Optional;

/**
 * An exception thrown when the write of an optimistic update got no reply, and the document does not show whether it was
 * executed, or could not be read. The change was made once or not at all: read the document before you repeat it. It is
 * {@linkplain #isTransient() transient}, but a repetition may make the change a second time.
 */
public final class IndeterminateUpdateException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param document a phrase for the document
     * @param cause the fault of the write
     */
    public IndeterminateUpdateException(String document, MongoException cause) {
        super(
                "Outcome unknown for the update of " + document + ": the write got no reply",
                cause,
                Optional.empty(),
                true);
    }
}
