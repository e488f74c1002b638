package org.mongolocks.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.contract.setup.ServerFinder;
import org.mongolocks.sync.LockClient;

/** The tests of ShedLock for its providers, on each strategy that judges leases by the server's clock. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"insert-unique", "findandmodify-counter", "flag-update", "optimistic-version", "transactional"})
class MongoLocksLockProviderTest extends AbstractExtensibleLockProviderIntegrationTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    /** A fuzz test keeps all processors busy. */
    private static final Duration AMPLE_LIMIT = Duration.ofMinutes(1);

    @Parameter
    String strategy = "";

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final String database = "shedlock-" + UUID.randomUUID();
    private LockClient locks;
    private MongoLocksLockProvider provider;

    @BeforeEach
    void open() throws InterruptedException {
        locks = LockClient.builder(connection.sync(), database)
                .strategy(strategy)
                .commandTimeout(AMPLE_LIMIT)
                .build();
        provider = new MongoLocksLockProvider(locks);
    }

    @AfterEach
    void close() {
        Thread.interrupted();
        locks.close();
        connection.sync().getDatabase(database).drop();
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

    /** The original locks for 50 milliseconds, which is less than the shortest lease. */
    @Override
    public void shouldTimeout() throws InterruptedException {
        doTestTimeout(Duration.ofMillis(200));
    }

    /** The original locks for 2 milliseconds. */
    @Override
    public void shouldNotBeAbleToExtendExpiredLock() {
        SimpleLock lock =
                provider.lock(configuration(LockRequest.MIN_TTL, Duration.ZERO)).orElseThrow();
        sleepFor(LockRequest.MIN_TTL.multipliedBy(2));

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

    @Test
    void theMinimumIsKeptWhenTheClientIsClosed() throws InterruptedException {
        assertThat(provider.lock(configuration(TTL, TTL))).isPresent();

        locks.close();
        open();

        assertLocked(LOCK_NAME1);
    }

    @Test
    void anInterruptIsKeptAndIsAnException() {
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> provider.lock(configuration(TTL, Duration.ZERO)));

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
    void aStrategyThatTakesOverOnlyWhileItWaitsIsRefused() throws InterruptedException {
        try (LockClient clockFree = LockClient.builder(connection.sync(), database)
                .strategy("optimistic-version-clock-free")
                .build()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new MongoLocksLockProvider(clockFree))
                    .withMessageContaining("optimistic-version-clock-free");
        }
    }

    @Test
    void aFractionOfAMillisecondIsRoundedUp() throws InterruptedException {
        assertThat(provider.lock(configuration(TTL.plusNanos(1), Duration.ZERO)))
                .isPresent();

        assertThat(locks.inspect(LOCK_NAME1).map(LockSnapshot::ttl)).contains(TTL.plusMillis(1));
    }

    private boolean isHeld(String name) {
        try {
            return locks.inspect(name).filter(LockSnapshot::isHeld).isPresent();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private LockConfiguration configuration(Duration atMost, Duration atLeast) {
        return new LockConfiguration(Instant.EPOCH, LOCK_NAME1, atMost, atLeast);
    }
}
