package org.mongolocks.strategy.transactional;

import static org.mongolocks.protocol.StoredLocks.TOKEN;

/** Holds the same laws where the counter is older than the lock document. */
class RestoredCounterLawsTest extends TransactionalLawsTest {
    @Override
    long count() {
        return TOKEN - 1;
    }
}
