package org.mongolocks.strategy.transactional;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;

/** The same tests with a counter that is older than the lock document. */
class RestoredCounterTest extends TransactionalStrategyTest {
    @Override
    long count() {
        return TOKEN - 1;
    }
}
