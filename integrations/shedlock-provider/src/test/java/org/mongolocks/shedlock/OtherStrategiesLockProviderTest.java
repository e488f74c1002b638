package org.mongolocks.shedlock;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;

/** The same tests with the other strategies that judge leases by the server's clock. */
@Tag("slow")
class OtherStrategiesLockProviderTest extends MongoLocksLockProviderTest {
    static Stream<Arguments> providers() {
        return withEachDriver("insert-unique", "flag-update", "optimistic-version", "transactional");
    }
}
