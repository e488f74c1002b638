package org.mongolocks.contract.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.blocking.BlockingLocks.BlockingLockSet;
import org.mongolocks.contract.CountedAttempts;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.Shipped;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.Commands;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spi.LockStrategy;

/** Tests of how many commands each strategy sends: the table of the README, on both drivers. */
@ExtendWith(DroppedDatabase.class)
class RoundTripsTest {
    private static final Duration TTL = Duration.ofMinutes(1);
    private static final Duration WAIT = Duration.ofMillis(100);
    /** A lock is renewed after a third of its ttl, or up to a fourth of that time earlier, with others. */
    private static final int PARTS_TOGETHER = 3 * 4;

    /** The commands of a client's first attempt: on a lock that was never used, was released by another client, is held. */
    private static final List<Arguments> FIRST = List.of(
            arguments("insert-unique", 1, 2, 2),
            arguments("findandmodify-counter", 1, 1, 1),
            arguments("flag-update", 1, 1, 2),
            arguments("optimistic-version", 2, 2, 1),
            arguments("optimistic-version-clock-free", 2, 2, 1),
            arguments("transactional", 3, 3, 3));
    /** Those of a client that has seen the lock. */
    private static final List<Arguments> AGAIN = List.of(
            arguments("insert-unique", 1, 1, 1),
            arguments("findandmodify-counter", 1, 1, 1),
            arguments("flag-update", 1, 1, 1),
            arguments("optimistic-version", 2, 2, 1),
            arguments("optimistic-version-clock-free", 2, 2, 1),
            arguments("transactional", 3, 3, 1));

    private final ContractServer server = ServerFinder.found();
    private final Commands commands = new Commands();
    private final DriverClients connection =
            DriverClients.observedBy(ServerFinder.found().uri(), commands);
    private final LockName name = LockName.of("round-trips-" + UUID.randomUUID());

    @AfterEach
    void close() {
        connection.close();
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("FIRST")
    void firstAttemptOfAClientSendsTheDocumentedNumberOfCommands(String strategy, int unused, int released, int held)
            throws Exception {
        LockStrategy supported = Shipped.supported(strategy);
        for (Driver driver : Driver.values()) {
            LockName fresh = LockName.of(name + driver.name());

            assertThat(assertFirstSends(unused, locks(driver, supported), fresh)
                            .orElseThrow()
                            .release())
                    .isTrue();
            assertThat(assertFirstSends(released, locks(driver, supported), fresh))
                    .isPresent();
            assertThat(assertFirstSends(held, locks(driver, supported), fresh)).isEmpty();
        }
    }

    /** The table of the README has the numbers of these tests. */
    @Test
    void readmeHasTheseNumbers() throws IOException {
        List<List<String>> rows = Files.readAllLines(Path.of("..", "..", "README.md")).stream()
                .filter(line -> line.startsWith("| "))
                .map(line -> List.of(line.split(" \\| ", -1)))
                .toList();
        List<String> head = rows.stream()
                .filter(row -> row.contains("round trips: free"))
                .findFirst()
                .orElseThrow();

        for (int index = 0; index < FIRST.size(); index++) {
            Object[] first = FIRST.get(index).get();
            Object again = AGAIN.get(index).get()[3];
            String link = "| [`" + first[0] + "`](docs/strategies/" + first[0] + ".md)";
            rows.stream().filter(row -> row.get(0).equals(link)).forEach(row -> {
                assertThat(row.get(head.indexOf("round trips: free")))
                        .as("%s, free", first[0])
                        .isEqualTo(
                                first[1].equals(first[2])
                                        ? first[1].toString()
                                        : first[1] + ", or " + first[2] + " after another client's release");
                assertThat(row.get(head.indexOf("round trips: contended")))
                        .as("%s, contended", first[0])
                        .isEqualTo(first[3].equals(again) ? again.toString() : first[3] + ", then " + again);
            });
        }
        assertThat(rows).filteredOn(row -> row.get(0).startsWith("| [`")).hasSizeGreaterThanOrEqualTo(5);
    }

    /** What ./compare says of its choice when no figure decides. */
    @Test
    void onlyTheDefaultNeedsOneCommandInEachCase() {
        assertThat(FIRST)
                .filteredOn(one -> one.get()[2].equals(1) && one.get()[3].equals(1))
                .extracting(one -> one.get()[0])
                .containsExactly("findandmodify-counter");
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("AGAIN")
    void aClientThatHasSeenTheLockNeedsFewer(String strategy, int unused, int released, int held) throws Exception {
        LockStrategy supported = Shipped.supported(strategy);
        for (Driver driver : Driver.values()) {
            BlockingLocks locks = locks(driver, new CountedAttempts(supported));
            LockName fresh = LockName.of(name + driver.name());

            BlockingLock first =
                    assertSends(unused, () -> locks.tryAcquire(fresh, TTL).orElseThrow());
            first.release();
            assertSends(released, () -> locks.tryAcquire(fresh, TTL).orElseThrow());
            assertThat(assertSends(held, () -> locks.tryAcquire(fresh, TTL))).isEmpty();
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "insert-unique, 2",
        "findandmodify-counter, 2",
        "flag-update, 2",
        "optimistic-version, 2",
        "optimistic-version-clock-free, 2",
        "transactional, 4",
    })
    void clientThatSawTheLockHeldReadsBeforeItAcquires(String strategy, int expected) throws Exception {
        LockStrategy supported = Shipped.supported(strategy);
        for (Driver driver : Driver.values()) {
            LockName fresh = LockName.of(name + driver.name());
            BlockingLock held = locks(driver, supported).tryAcquire(fresh, TTL).orElseThrow();
            BlockingLocks waiting = locks(driver, supported);
            waiting.tryAcquire(fresh, TTL);
            held.release();

            assertThat(assertSends(expected, () -> waiting.tryAcquire(fresh, TTL)))
                    .isPresent();
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "insert-unique, 3",
        "findandmodify-counter, 3",
        "flag-update, 3",
        "optimistic-version, 6",
        "optimistic-version-clock-free, 6",
        "transactional, 7",
    })
    void threeLocksNeedThreeTimesTheCommandsOrOneTransaction(String strategy, int expected) throws Exception {
        LockStrategy supported = Shipped.supported(strategy);
        for (Driver driver : Driver.values()) {
            List<String> names = List.of(name + driver.name() + 1, name + driver.name() + 2, name + driver.name() + 3);
            BlockingLocks locks = locks(driver, new CountedAttempts(supported));

            BlockingLockSet set = assertSends(
                    expected,
                    () -> locks.tryAcquireAll(MultiLockRequest.of(names, TTL).fixedLease())
                            .orElseThrow());

            assertThat(assertSends(3, set::release)).isTrue();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("org.mongolocks.contract.Shipped#names")
    void allOtherCallsSendOneCommand(String strategy) throws Exception {
        LockStrategy supported = Shipped.supported(strategy);
        for (Driver driver : Driver.values()) {
            CountedAttempts attempts = new CountedAttempts(supported);
            BlockingLocks locks = locks(driver, attempts);
            LockName fresh = LockName.of(name + driver.name());
            BlockingLock lock = locks.tryAcquire(fresh, TTL).orElseThrow();

            assertThat(assertSends(1, () -> lock.renew())).isTrue();
            assertThat(assertSends(1, () -> locks.inspect(fresh))).isPresent();
            assertThat(assertSends(1, () -> locks.list(LockQuery.all().prefix(fresh.value())))
                            .locks())
                    .hasSize(1);
            assertEveryFurtherPollSendsOne(locks, attempts, fresh);
            assertThat(assertSends(1, lock::release)).isTrue();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("org.mongolocks.contract.Shipped#names")
    void locksKeptAliveTogetherAreRenewedByOneCommand(String strategy) throws Exception {
        LockStrategy supported = Shipped.supported(strategy);
        for (Driver driver : Driver.values()) {
            try (BlockingLocks locks = locks(driver, new CountedAttempts(supported))) {
                long begunNanos = server.time().nanoTime();
                List<BlockingLock> kept = keepAlive(locks, 5);
                Duration took = Duration.ofNanos(server.time().nanoTime() - begunNanos);
                assumeTrue(
                        took.compareTo(server.ttl().dividedBy(PARTS_TOGETHER)) < 0,
                        "The server is too slow: leases that began far apart are not renewed together");
                long end = kept.get(4).lease().validUntilNanos();
                int before = commands.count();

                server.elapse(server.ttl().multipliedBy(2).dividedBy(5));
                Eventually.isTrue(
                        "all are renewed",
                        () -> kept.stream().allMatch(lock -> lock.lease().validUntilNanos() - end > 0));

                assertThat(commands.since(before)).containsExactly("update");
            }
        }
    }

    private List<BlockingLock> keepAlive(BlockingLocks locks, int count) throws InterruptedException {
        List<BlockingLock> kept = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            LockName each = LockName.of("kept-" + UUID.randomUUID());
            LockRequest request = LockRequest.of(each, server.ttl());
            kept.add(locks.tryAcquire(request).orElseThrow());
        }
        return kept;
    }

    /** On a slow server no poll fits into a short wait. */
    private void assertEveryFurtherPollSendsOne(BlockingLocks locks, CountedAttempts attempts, LockName held)
            throws Exception {
        int first = commands.forLocksDuring(() -> locks.tryAcquire(held, TTL));

        int polls = 0;
        for (Duration wait = WAIT; polls == 0; wait = wait.multipliedBy(2)) {
            LockRequest request = LockRequest.of(held, TTL).fixedLease().waitAtMost(wait);
            int before = attempts.count();
            int all = commands.forLocksDuring(() -> locks.tryAcquire(request));
            polls = attempts.count() - before - 1;
            assertThat(all).isEqualTo(first + polls);
        }
    }

    private Optional<BlockingLock> assertFirstSends(int expected, BlockingLocks locks, LockName unseen)
            throws Exception {
        return assertSends(expected, () -> locks.tryAcquire(unseen, TTL));
    }

    private <T> T assertSends(int expected, Callable<T> action) throws Exception {
        int before = commands.count();
        T result = action.call();
        assertThat(commands.forLocksSince(before)).hasSize(expected);
        return result;
    }

    private BlockingLocks locks(Driver driver, LockStrategy strategy) throws InterruptedException {
        return driver.build(connection, LockContract.DATABASE, builder -> {
            builder.strategy(strategy)
                    .collection("locks." + strategy.name())
                    .polling(Duration.ofMillis(10), Duration.ofMillis(20));
            server.setClocks(builder);
        });
    }
}
