package org.mongolocks.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockExtender.LockCanNotBeExtendedException;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockSnapshot;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.sync.LockClient;
import reactor.core.publisher.Mono;

/**
 * The tests of ShedLock for its providers, on both clients.
 *
 * @see OtherStrategiesLockProviderTest
 */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("providers")
class MongoLocksLockProviderTest extends AbstractExtensibleLockProviderIntegrationTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    /** A fuzz test keeps all processors busy. */
    private static final Duration AMPLE_LIMIT = Duration.ofMinutes(1);

    @Parameter(0)
    String strategy = "";

    @Parameter(1)
    Driver driver = Driver.SYNC;

    private final ContractServer server = ServerFinder.found();
    private final DriverClients connection = DriverClients.shared(server.uri());
    private final String database = "shedlock-" + UUID.randomUUID();
    /** A client of the test, which inspects the locks. */
    private LockClient locks;

    private AutoCloseable client;
    private ExtensibleLockProvider provider;

    /** The drivers, each with a provider of its own. */
    enum Driver {
        SYNC,
        REACTIVE
    }

    static Stream<Arguments> providers() {
        return withEachDriver("findandmodify-counter");
    }

    static Stream<Arguments> withEachDriver(String... strategies) {
        return Arrays.stream(strategies)
                .flatMap(strategy -> Arrays.stream(Driver.values()).map(driver -> Arguments.of(strategy, driver)));
    }

    @BeforeEach
    void open() throws InterruptedException {
        locks = syncClient(strategy);
        if (driver == Driver.SYNC) {
            LockClient sync = syncClient(strategy);
            client = sync;
            provider = new MongoLocksLockProvider(sync);
        } else {
            ReactiveLockClient reactive = reactiveClient(strategy);
            client = reactive;
            provider = new ReactiveMongoLocksLockProvider(reactive);
        }
    }

    @AfterEach
    void close() throws Exception {
        Thread.interrupted();
        client.close();
        locks.close();
        connection.sync().getDatabase(database).drop();
    }

    private LockClient syncClient(String name) throws InterruptedException {
        LockClientBuilder<LockClient> builder = LockClient.builder(connection.sync(), database)
                .drainTimeout(Duration.ZERO)
                .strategy(name)
                .commandTimeout(AMPLE_LIMIT);
        server.setClocks(builder);
        return builder.build();
    }

    private ReactiveLockClient reactiveClient(String name) {
        LockClientBuilder<Mono<ReactiveLockClient>> builder = ReactiveLockClient.builder(
                        connection.reactive(), database)
                .drainTimeout(Duration.ZERO)
                .strategy(name)
                .commandTimeout(AMPLE_LIMIT);
        server.setClocks(builder);
        return builder.build().blockOptional().orElseThrow();
    }

    @Override
    protected ExtensibleLockProvider getLockProvider() {
        return provider;
    }

    @Override
    protected void assertLocked(String name) {
        assertThat(isHeld(name)).isTrue();
    }

    @Override
    protected void assertUnlocked(String name) {
        assertThat(isHeld(name)).isFalse();
    }

    /** Lets the time of the server pass, where the original sleeps. */
    @Override
    protected void sleepFor(Duration duration) {
        server.elapse(duration);
    }

    /** The original locks for 50 milliseconds, which is less than the shortest lease, and sleeps. */
    @Test
    @Override
    public void shouldTimeout() {
        assertThat(provider.lock(configuration(server.ttl(), Duration.ZERO))).isPresent();

        sleepFor(server.ttl());

        assertUnlocked(LOCK_NAME1);
        assertThat(provider.lock(configuration(TTL, Duration.ZERO))).isPresent();
    }

    /** The original sleeps. */
    @Test
    @Override
    public void shouldLockAtLeastFor() {
        SimpleLock lock = provider.lock(configuration(LOCK_AT_LEAST_FOR.multipliedBy(2), LOCK_AT_LEAST_FOR))
                .orElseThrow();
        lock.unlock();
        assertThat(provider.lock(configuration(TTL, Duration.ZERO))).isEmpty();

        sleepFor(LOCK_AT_LEAST_FOR);

        assertThat(provider.lock(configuration(TTL, Duration.ZERO))).isPresent();
    }

    /** The original locks for 2 milliseconds. */
    @Test
    @Override
    public void shouldNotBeAbleToExtendExpiredLock() {
        SimpleLock lock =
                provider.lock(configuration(server.ttl(), Duration.ZERO)).orElseThrow();
        sleepFor(server.ttl());

        assertThat(lock.extend(TTL, Duration.ZERO)).isEmpty();

        assertUnlocked(LOCK_NAME1);
    }

    @Test
    void lateUnlockFreesNoLockOfAnotherInstance() throws InterruptedException {
        SimpleLock late = provider.lock(configuration(TTL, Duration.ZERO)).orElseThrow();
        locks.forceRelease(locks.inspect(LOCK_NAME1).orElseThrow());
        assertThat(provider.lock(configuration(TTL, Duration.ZERO))).isPresent();

        late.unlock();

        assertLocked(LOCK_NAME1);
    }

    @Test
    void lateExtensionExtendsNoLockOfAnotherInstance() throws InterruptedException {
        SimpleLock late = provider.lock(configuration(TTL, Duration.ZERO)).orElseThrow();
        locks.forceRelease(locks.inspect(LOCK_NAME1).orElseThrow());
        assertThat(provider.lock(configuration(TTL, Duration.ZERO))).isPresent();

        assertThat(late.extend(TTL.multipliedBy(2), Duration.ZERO)).isEmpty();

        assertThat(locks.inspect(LOCK_NAME1).orElseThrow().ttl()).isEqualTo(TTL);
    }

    /** The executor unlocks what ShedLock no longer regards as a lock; its error replaces that of the task. */
    @Test
    void shedLocksExecutorFailsAfterALossThatAnExtensionFound() {
        LockingTaskExecutor executor = new DefaultLockingTaskExecutor(provider);
        AtomicBoolean isFound = new AtomicBoolean();
        LockingTaskExecutor.Task task = () -> {
            locks.forceRelease(locks.inspect(LOCK_NAME1).orElseThrow());
            try {
                LockExtender.extendActiveLock(TTL, Duration.ZERO);
            } catch (LockCanNotBeExtendedException e) {
                isFound.set(true);
                throw e;
            }
        };

        assertThatIllegalStateException()
                .isThrownBy(() -> executor.executeWithLock(task, configuration(TTL, Duration.ZERO)))
                .withMessageContaining("is not valid");
        assertThat(isFound).isTrue();
    }

    @Test
    void theMinimumIsKeptWhenTheClientIsClosed() throws Exception {
        assertThat(provider.lock(configuration(TTL, TTL))).isPresent();

        client.close();

        assertLocked(LOCK_NAME1);
    }

    @Test
    @Tag("finds:shedlock-interrupted")
    void anInterruptIsKeptAndIsAnException() {
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> provider.lock(configuration(TTL, Duration.ZERO)))
                .withMessageContaining("the thread was interrupted");

        assertThat(Thread.interrupted()).isTrue();
        assertUnlocked(LOCK_NAME1);
    }

    @Test
    void aLongerLeaseThanADayIsRefused() {
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> provider.lock(configuration(Duration.ofHours(25), Duration.ZERO)))
                .withMessageContaining("lockAtMostFor must be at most PT24H, was PT25H");
    }

    @Test
    void anInterruptedTaskIsUnlocked() {
        SimpleLock lock = provider.lock(configuration(TTL, Duration.ZERO)).orElseThrow();
        Thread.currentThread().interrupt();

        lock.unlock();

        assertThat(Thread.interrupted()).isTrue();
        assertUnlocked(LOCK_NAME1);
    }

    @Test
    void bothProvidersExcludeEachOther() {
        assertThat(provider.lock(configuration(TTL, Duration.ZERO))).isPresent();

        try (ReactiveLockClient other = reactiveClient(strategy)) {
            assertThat(new ReactiveMongoLocksLockProvider(other).lock(configuration(TTL, Duration.ZERO)))
                    .isEmpty();
        }
        assertThat(new MongoLocksLockProvider(locks).lock(configuration(TTL, Duration.ZERO)))
                .isEmpty();
    }

    @Test
    void aFractionOfAMillisecondIsRoundedUp() throws InterruptedException {
        assertThat(provider.lock(configuration(TTL.plusNanos(1), Duration.ZERO)))
                .isPresent();

        assertThat(locks.inspect(LOCK_NAME1).map(LockSnapshot::ttl)).contains(TTL.plusMillis(1));
    }

    private boolean isHeld(String name) {
        return locks.inspect(name).filter(LockSnapshot::isHeld).isPresent();
    }

    private LockConfiguration configuration(Duration atMost, Duration atLeast) {
        return new LockConfiguration(Instant.EPOCH, LOCK_NAME1, atMost, atLeast);
    }
}
