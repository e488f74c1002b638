package org.mongolocks.spring.boot;

import java.util.Optional;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;

/**
 * What operators do with stored locks, on either client. Each call blocks; an interrupt is kept, and thrown as a
 * {@link org.mongolocks.LockException}.
 */
interface LockOperations {
    String strategyName();

    LockPage list(LockQuery query);

    Optional<LockSnapshot> inspect(LockName name);

    /** Returns whether the lock was released: it was as seen. */
    boolean forceRelease(LockSnapshot seen);
}
