package org.mongolocks.contract.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.contract.Shipped;
import org.mongolocks.contract.waiting.EmbeddedPrograms;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.AcquireContext.Waiter;
import org.mongolocks.spi.AcquireContext.Waiter.Entry;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.LockSchema.TtlIndex;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Step;

/** The server deletes lock documents that were not used for two days, in any order with the commands of clients. */
@ParameterizedClass(name = "{0}")
@MethodSource("strategies")
class UnusedDocumentsTest {
    private static final LockName NAME = LockName.of("job");
    private static final Duration UNUSED = Duration.ofDays(2);
    private static final List<Duration> PASSES =
            List.of(Duration.ZERO, Duration.ofMillis(1), Duration.ofSeconds(1), Duration.ofHours(13), UNUSED);

    private static final int STEPS = 150;

    @Parameter
    private String name = "";

    private final EmbeddedPrograms server = new EmbeddedPrograms();
    private long number;

    static Stream<String> strategies() {
        return Shipped.names()
                .filter(each -> LockStrategies.named(each).traits().contains(Trait.SERVER_CLOCK));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Late commands are those of former holders, and of waiters that have given up. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void tokensGrowAndNothingComesBackInAnyOrder(long seed) {
        Random random = new Random(seed);
        List<Lease> leases = new ArrayList<>();
        long newest = 0;
        for (int step = 0; step < STEPS; step++) {
            String what = "seed " + seed + ", step " + step;
            server.advance(any(random, PASSES));
            if (random.nextBoolean()) {
                deleteUnused();
            }
            LastKnownState seen = any(random, List.of(LastKnownState.values()));
            Optional<Waiter> waiter = random.nextBoolean()
                    ? Optional.empty()
                    : Optional.of(new Waiter(random.nextInt(3), any(random, List.of(Entry.values()))));
            Duration ttl = random.nextBoolean() ? Duration.ofSeconds(10) : LockRequest.MAX_TTL;
            if (server.run(strategy().acquire(context(++number, ttl, seen, waiter)))
                    instanceof LockOutcome.Acquired grant) {
                assertThat(grant.lease().fencingToken()).as(what).isGreaterThan(newest);
                newest = grant.lease().fencingToken();
                leases.add(grant.lease());
            }
            boolean wasThere = !server.stored(NAME).isEmpty();
            if (!leases.isEmpty() && random.nextInt(3) > 0) {
                use(random, leases.get(Math.max(0, leases.size() - 1 - random.nextInt(3))));
            }
            if (!wasThere) {
                assertThat(server.stored(NAME)).as(what).isEmpty();
            }
        }
        assertThat(leases).hasSizeGreaterThan(STEPS / 10);
    }

    private static <T> T any(Random random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** Sends a command of the newest holder, or of a former one. */
    private void use(Random random, Lease lease) {
        switch (random.nextInt(7)) {
            case 0, 1 -> server.run(strategy().renew(lease));
            case 2, 3 -> server.run(strategy().release(NAME, lease.owner(), OptionalLong.of(lease.fencingToken())));
            case 4 -> server.run(strategy().releaseAfter(lease));
            case 5 ->
                server.run(strategy().inspect(NAME))
                        .ifPresent(seen -> server.run(strategy().forceRelease(seen)));
            default -> server.run(strategy().unregister(NAME, random.nextInt(3)));
        }
    }

    @Test
    void theLongestLeaseIsNeverDeletedAndItsWaitersTakeOver() {
        Lease lease = acquired(1, LockRequest.MAX_TTL);
        Waiter first = new Waiter(1, Entry.ADD);
        server.advance(LockRequest.MAX_TTL.minusSeconds(1));
        assertThat(server.run(strategy().renew(lease))).isInstanceOf(LockStrategy.Renewal.Renewed.class);
        server.advance(LockRequest.MAX_TTL.minusSeconds(1));
        assertThat(attempt(2, LastKnownState.HELD, Optional.of(first))).isInstanceOf(LockOutcome.Contended.class);

        deleteUnused();

        assertThat(server.stored(NAME)).containsKeys(LockFields.OWNER, LockFields.WAITING);
        server.advance(Duration.ofSeconds(1));
        deleteUnused();
        assertThat(attempt(2, LastKnownState.HELD, Optional.of(first))).isInstanceOf(LockOutcome.Acquired.class);
    }

    @Test
    void nothingIsLeftTwoDaysAfterTheLastUse() {
        acquired(1, LockRequest.MAX_TTL);
        attempt(2, LastKnownState.HELD, Optional.of(new Waiter(1, Entry.ADD)));
        server.advance(UNUSED);

        deleteUnused();

        assertThat(stored()).isZero();
    }

    /** The waiter of a lock without a document creates it, where a release deletes it. */
    @Test
    void aWaiterThatEndsBeforeItsAttemptLeavesNothingEither() {
        AcquireContext waiting =
                context(1, Duration.ofSeconds(10), LastKnownState.HELD, Optional.of(new Waiter(1, Entry.ADD)));
        MongoOp first = ((Step.Call<LockOutcome>) strategy().acquire(waiting)).op();
        server.run(Step.call(first, Step::done));
        server.advance(UNUSED);

        deleteUnused();

        assertThat(stored()).isZero();
    }

    @Test
    void tokensThatWereRaisedKeepTheirDocumentsForTwoDays() {
        acquiredThenReleased(1);
        server.advance(UNUSED.minusSeconds(1));
        long floor = server.now().toEpochMilli() + Duration.ofDays(1).toMillis();
        server.run(strategy().raiseTokens(LockQuery.all(), floor));
        server.advance(Duration.ofSeconds(2));
        deleteUnused();

        assertThat(acquired(2, Duration.ofSeconds(10)).fencingToken()).isGreaterThan(floor);
        server.advance(UNUSED.plusSeconds(10));
        deleteUnused();
        assertThat(stored()).isZero();
        assertThat(acquired(3, Duration.ofSeconds(10)).fencingToken()).isGreaterThan(floor + 1);
    }

    private void acquiredThenReleased(long owner) {
        Lease lease = acquired(owner, Duration.ofSeconds(10));
        assertThat(server.run(strategy().release(NAME, lease.owner(), OptionalLong.of(lease.fencingToken()))))
                .isTrue();
    }

    private Lease acquired(long owner, Duration ttl) {
        LockOutcome outcome =
                server.run(strategy().acquire(context(owner, ttl, LastKnownState.UNKNOWN, Optional.empty())));
        return ((LockOutcome.Acquired) outcome).lease();
    }

    private LockOutcome attempt(long owner, LastKnownState seen, Optional<Waiter> waiter) {
        return server.run(strategy().acquire(context(owner, Duration.ofSeconds(10), seen, waiter)));
    }

    private static AcquireContext context(long owner, Duration ttl, LastKnownState seen, Optional<Waiter> waiter) {
        return AcquireContext.of(NAME, new Owner("client-" + owner, new UUID(0, owner)), ttl, owner)
                .lastSeen(seen)
                .waiter(waiter);
    }

    /** Deletes what the TTL monitor of the server would delete now. */
    private void deleteUnused() {
        strategy().schema().collections().forEach(part -> {
            TtlIndex ttl = part.ttl().orElseThrow();
            BsonDateTime latest =
                    new BsonDateTime(server.now().minus(ttl.after()).toEpochMilli());
            server.collection(part.name()).deleteMany(new BsonDocument(ttl.field(), new BsonDocument("$lte", latest)));
        });
    }

    private long stored() {
        return strategy().schema().collections().stream()
                .map(LockSchema.LockCollection::name)
                .mapToLong(part -> server.collection(part).countDocuments())
                .sum();
    }

    private LockStrategy strategy() {
        return LockStrategies.named(name);
    }
}
