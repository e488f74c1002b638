package org.mongolocks.strategy.transactional;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;

/** The same laws with a counter that is older than the lock document. */
class RestoredCounterLawsTest extends TransactionalLawsTest {
    @Override
    long count() {
        return TOKEN - 1;
    }
}
