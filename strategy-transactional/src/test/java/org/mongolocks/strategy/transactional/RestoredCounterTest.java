package org.mongolocks.strategy.transactional;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;

import org.junit.jupiter.api.Tag;

/** The same tests with a counter that is older than the lock document. */
@Tag("slow")
class RestoredCounterTest extends TransactionalStrategyTest {
    @Override
    long count() {
        return TOKEN - 1;
    }
}
