package org.mongolocks.contract.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.Document;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockName;
import org.mongolocks.LockStorageException;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.Shipped;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spi.LockStrategy;

/** Tests that documents of the earlier format are refused, and that docs/operations.md shows how to convert them. */
@ExtendWith(DroppedDatabase.class)
class ChangeOfFormatTest {
    private static final Duration TTL = Duration.ofMinutes(5);
    private static final LockName HELD = LockName.of("held");
    private static final LockName RELEASED = LockName.of("released");
    private static final Pattern RECIPE = Pattern.compile("updateMany\\((\\{.*?}), (\\{.*})\\)");

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final String base = "format-" + UUID.randomUUID();

    static Stream<String> strategies() {
        return Shipped.names();
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void documentsOfTheEarlierFormatAreRefusedUntilTheyAreConverted(String name) throws Exception {
        LockStrategy strategy = Shipped.supported(name);
        try (BlockingLocks locks = build(strategy)) {
            BlockingLock before = locks.tryAcquire(RELEASED, TTL).orElseThrow();
            before.release();
            assertThat(locks.tryAcquire(HELD, TTL)).isPresent();
            update(
                    strategy,
                    "{format: {$exists: true}}",
                    "{$set: {format: 'flag-update/2', waiting: [{$numberLong: '7'}]}}");

            assertRefused(strategy, () -> locks.tryAcquire(HELD, TTL));
            update(strategy, recipe().group(1), recipe().group(2));

            try (BlockingLocks others = build(strategy)) {
                assertThat(others.tryAcquire(HELD, TTL)).isEmpty();
                assertThat(others.tryAcquire(RELEASED, TTL).orElseThrow().fencingToken())
                        .isGreaterThan(before.fencingToken());
            }
        }
    }

    private static void assertRefused(LockStrategy strategy, ThrowingCallable call) {
        assertThatExceptionOfType(LockStorageException.class)
                .isThrownBy(call)
                .withMessageContaining("'" + strategy.name() + "/2'")
                .withMessageContaining("'" + strategy.format().orElseThrow() + "'")
                .withMessageContaining("'Change of format' in docs/operations.md");
    }

    /** Returns the filter and the update of the documentation. */
    private static MatchResult recipe() throws IOException {
        return RECIPE.matcher(Files.readString(Path.of("..", "..", "docs", "operations.md")))
                .results()
                .findFirst()
                .orElseThrow();
    }

    /** Updates all collections of a strategy; the documentation uses one strategy as an example. */
    private void update(LockStrategy strategy, String filter, String update) {
        strategy.schema().collections().stream()
                .map(part -> strategy.schema().resolve(part.name(), base))
                .forEach(stored -> connection
                        .sync()
                        .getDatabase(LockContract.DATABASE)
                        .getCollection(stored)
                        .updateMany(
                                Document.parse(filter.replace("flag-update", strategy.name())),
                                Document.parse(update.replace("flag-update", strategy.name()))));
    }

    private BlockingLocks build(LockStrategy strategy) throws InterruptedException {
        return Driver.SYNC.build(
                connection,
                LockContract.DATABASE,
                builder -> builder.strategy(strategy).collection(base));
    }
}
