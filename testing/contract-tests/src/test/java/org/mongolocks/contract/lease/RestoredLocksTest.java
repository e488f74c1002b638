package org.mongolocks.contract.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.LossReason;
import org.mongolocks.TokenWentBackException;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.Shipped;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.broken.NoLocks;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.sync.LockClient;

/** Tests of tokens after lock documents were dropped or restored, and of how an operator raises them. */
@ExtendWith(DroppedDatabase.class)
class RestoredLocksTest {
    private static final Duration TTL = Duration.ofSeconds(60);
    /** More milliseconds than a test takes. */
    private static final long AHEAD = Duration.ofDays(1).toMillis();

    private final ContractServer server = ServerFinder.found();
    private final LockName name = LockName.of("restored-" + UUID.randomUUID());
    private final String collection = "restored-" + UUID.randomUUID();
    private final List<Long> reported = new ArrayList<>();
    private final MongoClient mongo = MongoClients.create(server.uri());
    private final MongoDatabase database = mongo.getDatabase(LockContract.DATABASE);
    private BlockingLocks locks = new NoLocks();

    @AfterEach
    void close() {
        locks.close();
        mongo.close();
    }

    /** The tokens were ahead of the server's clock, or no clock counts. */
    @ParameterizedTest
    @MethodSource("strategies")
    @Tag("finds:token-back-after-a-restore")
    void aTokenThatWentBackIsNotGrantedUntilItIsRaised(String strategy) throws Exception {
        build(strategy);
        raiseTokens(strategy, grantsOf(1) + AHEAD);
        long newest = grantsOf(3);
        database.getCollection(collection).drop();
        database.getCollection(collection + ".fences").drop();

        assertThatExceptionOfType(TokenWentBackException.class)
                .isThrownBy(() -> locks.tryAcquire(name, TTL))
                .withMessageContaining(name.value());
        assertThat(reported).containsExactly(newest);
        assertThat(locks.inspect(name).flatMap(lock -> lock.holder())).isEmpty();

        assertThat(raiseTokens(strategy, newest)).isEqualTo(1);
        assertThat(raiseTokens(strategy, newest)).isZero();
        assertThat(grantsOf(2)).isGreaterThan(newest);
    }

    static Stream<String> strategies() {
        return Shipped.names();
    }

    /** A renewal increases the revision, not the token. */
    @ParameterizedTest
    @MethodSource("strategies")
    void aRenewedLockThatIsHeldWithASmallerTokenIsForcedFree(String strategy) throws Exception {
        build(strategy);
        BlockingLock held = locks.tryAcquire(name, TTL).orElseThrow();
        for (int renewal = 0; renewal < 4; renewal++) {
            assertThat(held.renew()).isTrue();
        }
        long floor = held.fencingToken() + 2;

        assertThat(raiseTokens(strategy, floor)).isPositive();

        assertThat(held.renew()).isFalse();
        assertThat(held.loss()).contains(LossReason.FORCED);
        assertThat(grantsOf(1)).isGreaterThan(floor);
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void tokensAreRaisedToTheBoundAndGrantsFollow(String strategy) throws Exception {
        build(strategy);
        grantsOf(1);

        for (long floor : List.of(Lease.MAX_RAISED_TOKEN - 1, Lease.MAX_RAISED_TOKEN)) {
            raiseTokens(strategy, floor);
            long first = grantsOf(1);
            assertThat(first).isGreaterThan(floor);
            assertThat(grantsOf(2)).isGreaterThan(first);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Lease.MAX_RAISED_TOKEN + 1, Long.MAX_VALUE, 0, -1, Long.MIN_VALUE})
    @Tag("finds:tokens-raised-to-the-end")
    void floorOutOfBoundsIsRefused(long floor) throws Exception {
        build("insert-unique");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> raiseTokens("insert-unique", floor))
                .withMessageContaining("" + Lease.MAX_RAISED_TOKEN);
        ReactiveLockClient reactive = ReactiveLockClient.builder(
                        DriverClients.shared(server.uri()).reactive(), LockContract.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy("insert-unique")
                .collection(collection)
                .build()
                .blockOptional()
                .orElseThrow();
        assertThatIllegalArgumentException().isThrownBy(() -> reactive.raiseTokens(LockQuery.all(), floor));
        reactive.close();
    }

    @Test
    void transactionalGrantsNoTokenBelowThatOfTheLockDocument() throws Exception {
        build("transactional");
        raiseTokens("transactional", grantsOf(1) + AHEAD);
        long newest = grantsOf(3);
        assertThat(locks.tryAcquire(name, TTL)).isPresent();
        assertThat(locks.forceRelease(locks.inspect(name).orElseThrow())).isTrue();
        database.getCollection(collection + ".fences", BsonDocument.class)
                .updateOne(
                        new BsonDocument("_id", new BsonString(name.value())),
                        new BsonDocument("$set", new BsonDocument("n", new BsonInt64(1))));

        assertThat(grantsOf(1)).isEqualTo(newest + 3);
        assertThat(grantsOf(1)).isEqualTo(newest + 4);
    }

    private long grantsOf(int times) throws InterruptedException {
        long token = 0;
        for (int grant = 0; grant < times; grant++) {
            BlockingLock lock = locks.tryAcquire(name, TTL).orElseThrow();
            token = lock.fencingToken();
            assertThat(lock.release()).isTrue();
        }
        return token;
    }

    private void build(String strategy) throws InterruptedException {
        LockStrategy supported = Shipped.supported(strategy);
        locks = Driver.SYNC.build(
                DriverClients.shared(server.uri()),
                LockContract.DATABASE,
                builder -> ClientOptions.of(builder)
                        .strategy(supported)
                        .collection(collection)
                        .time(server.time())
                        .onTokenWentBack((granted, newest) -> reported.add(newest)));
    }

    /** Uses a client of each driver in turn: the second finds the tokens that the first has raised. */
    private long raiseTokens(String strategy, long floor) throws InterruptedException {
        LockQuery query = LockQuery.all().prefix(name.value());
        DriverClients connection = DriverClients.shared(server.uri());
        try (LockClient operator = LockClient.builder(connection.sync(), LockContract.DATABASE)
                        .drainTimeout(Duration.ZERO)
                        .strategy(strategy)
                        .collection(collection)
                        .build();
                ReactiveLockClient reactive =
                        Objects.requireNonNull(ReactiveLockClient.builder(connection.reactive(), LockContract.DATABASE)
                                .drainTimeout(Duration.ZERO)
                                .strategy(strategy)
                                .collection(collection)
                                .build()
                                .block())) {
            long raised = operator.raiseTokens(query, floor);
            assertThat(reactive.raiseTokens(query, floor).block()).isZero();
            return raised;
        }
    }
}
