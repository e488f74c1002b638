package org.mongolocks.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.mongodb.MongoClientSettings;
import com.mongodb.observability.ObservabilitySettings;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.core.tck.MeterRegistryAssert;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockRequest;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** The observations of calls of the synchronous client. */
class ObservedLocksTest {
    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final String database = "observed-" + UUID.randomUUID();
    private final LockRequest request =
            LockRequest.of("lock", Duration.ofMinutes(10)).fixedLease();
    private final RecordedObservations observations = new RecordedObservations();
    private LockClient locks;
    private ObservedLocks observed;

    @BeforeEach
    void open() throws InterruptedException {
        locks = LockClient.builder(connection.sync(), database)
                .drainTimeout(Duration.ZERO)
                .strategy("findandmodify-counter")
                .build();
        observed = ObservedLocks.of(locks, observations.registry);
    }

    @AfterEach
    void close() {
        locks.close();
        connection.sync().getDatabase(database).drop();
        observations.assertComplete();
    }

    @Test
    void acquisitionIsObserved() throws InterruptedException {
        HeldLock lock = observed.tryAcquire(request).orElseThrow();

        TestObservationRegistryAssert.assertThat(observations.registry)
                .hasSingleObservationThat()
                .hasNameEqualTo("mongo.locks.acquire")
                .hasContextualNameEqualTo("lock acquire")
                .hasBeenStopped()
                .doesNotHaveError()
                .hasLowCardinalityKeyValue("strategy", "findandmodify-counter")
                .hasLowCardinalityKeyValue("mode", "sync")
                .hasLowCardinalityKeyValue("outcome", "acquired")
                .hasHighCardinalityKeyValue("lock.name", "lock")
                .hasHighCardinalityKeyValue("fencing.token", Long.toString(lock.fencingToken()));
    }

    @Test
    void contentionIsNoError() throws InterruptedException {
        locks.acquire(request);

        assertThat(observed.tryAcquire(request)).isEmpty();
        assertThat(observed.tryWithLock(request, lock -> {})).isFalse();
        assertThat(observed.<String, RuntimeException>tryCallWithLock(request, lock -> "done"))
                .isEmpty();
        assertThatExceptionOfType(LockContendedException.class).isThrownBy(() -> observed.acquire(request));
        assertThatExceptionOfType(LockContendedException.class)
                .isThrownBy(() -> observed.callWithLock(request, lock -> "done"));

        assertThat(observations.outcomes()).hasSize(5).containsOnly("mongo.locks.acquire contended");
        TestObservationRegistryAssert.assertThat(observations.registry)
                .forAllObservationsWithNameEqualTo(
                        "mongo.locks.acquire",
                        each -> each.doesNotHaveError().hasHighCardinalityKeyValue("fencing.token", "none"));
    }

    @Test
    void errorIsRecordedOnRefusal() {
        locks.close();

        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(() -> observed.tryAcquire(request));

        assertThat(observations.outcomes()).containsExactly("mongo.locks.acquire failed");
        TestObservationRegistryAssert.assertThat(observations.registry)
                .hasSingleObservationThat()
                .assertThatError()
                .isInstanceOf(ClientClosedException.class);
    }

    @Test
    void interruptedAcquisitionIsStopped() throws Exception {
        locks.acquire(request);
        BackgroundTask<?> waiter =
                BackgroundTask.run(() -> observed.tryAcquire(request.waitAtMost(Duration.ofMinutes(1))));
        Eventually.isTrue("the acquisition has begun", observations::hasStarted);
        waiter.interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(waiter::result);

        assertThat(observations.outcomes()).containsExactly("mongo.locks.acquire cancelled");
    }

    @Test
    void acquisitionAndWorkAreChildrenOfTheCaller() throws Throwable {
        AtomicLong token = new AtomicLong();
        Observation caller = Observation.start("caller", observations.registry);
        caller.scopedChecked(() -> {
            token.set(observed.<Long, RuntimeException>callWithLock(request, lock -> {
                Observation current = observations.registry.getCurrentObservation();
                assertThat(current)
                        .extracting(work -> work.getContext().getName())
                        .isEqualTo("mongo.locks.work");
                return lock.fencingToken();
            }));
            assertThat(observations.registry.getCurrentObservation()).isSameAs(caller);
        });
        caller.stop();

        assertThat(observations.outcomes()).containsExactly("mongo.locks.acquire acquired", "mongo.locks.work done");
        TestObservationRegistryAssert.assertThat(observations.registry)
                .hasObservationWithNameEqualTo("mongo.locks.acquire")
                .that()
                .hasParentObservationEqualTo(caller);
        TestObservationRegistryAssert.assertThat(observations.registry)
                .hasObservationWithNameEqualTo("mongo.locks.work")
                .that()
                .hasParentObservationEqualTo(caller)
                .hasHighCardinalityKeyValue("fencing.token", token.toString());
    }

    /** The keys of the driver's observations differ. */
    @Test
    void commandsOfTheDriverAreChildrenOfTheAcquisitionAndOfTheWork() throws InterruptedException {
        RecordedObservations recorded = new RecordedObservations(TestObservationRegistry.builder()
                .validateObservationsWithTheSameNameHavingTheSameSetOfLowCardinalityKeys(false)
                .build());
        MongoClientSettings settings = DriverClients.settings(
                        ServerFinder.found().uri())
                .observabilitySettings(ObservabilitySettings.micrometerBuilder()
                        .observationRegistry(recorded.registry)
                        .build())
                .build();
        try (DriverClients traced = DriverClients.of(settings);
                LockClient tracedLocks = LockClient.builder(traced.sync(), database)
                        .drainTimeout(Duration.ZERO)
                        .strategy("findandmodify-counter")
                        .build()) {
            ObservedLocks.of(tracedLocks, recorded.registry).withLock(request, lock -> {});
        }

        TestObservationRegistryAssert.assertThat(recorded.registry)
                .hasHandledContextsThatSatisfy(contexts -> assertThat(contexts)
                        .filteredOn(context -> !(context instanceof LockObservationContext))
                        .flatExtracting(context -> Optional.ofNullable(context.getParentObservation()).stream()
                                .map(ObservationView::getContextView)
                                .toList())
                        .contains(recorded.only(LockObservation.ACQUIRE), recorded.only(LockObservation.WORK)));
    }

    @Test
    void failureOfTheWorkIsAnErrorOfTheWork() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> observed.tryWithLock(request, lock -> {
                    throw new IllegalArgumentException("wrong");
                }));

        assertThat(observations.outcomes()).containsExactly("mongo.locks.acquire acquired", "mongo.locks.work failed");
        assertThat(observations.only(LockObservation.WORK).getError()).hasMessage("wrong");
        assertThat(observations.only(LockObservation.ACQUIRE).getError()).isNull();
    }

    @Test
    void errorInTheWorkStopsItsObservation() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> observed.tryWithLock(request, lock -> {
                    throw new AssertionError("wrong");
                }));

        assertThat(observations.outcomes()).containsExactly("mongo.locks.acquire acquired", "mongo.locks.work failed");
    }

    @Test
    void lossCountsOnce() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> observed.<InterruptedException>tryWithLock(request, lock -> forceRelease()));

        assertThat(observations.outcomes()).containsExactly("mongo.locks.acquire acquired", "mongo.locks.work lost");
        assertThat(observations.only(LockObservation.WORK).getError()).isInstanceOf(LockLostException.class);
    }

    @Test
    void lossOfAnotherLockInTheWorkIsAFailure() {
        LockRequest inner =
                LockRequest.of("lock-inside", Duration.ofMinutes(10)).fixedLease();

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> observed.<InterruptedException>tryWithLock(
                        inner, outer -> locks.<InterruptedException>withLock(request, lock -> forceRelease())));

        assertThat(observations.outcomes()).containsExactly("mongo.locks.acquire acquired", "mongo.locks.work failed");
    }

    @Test
    void registryWithoutHandlersObservesNothing() throws InterruptedException {
        ObservedLocks silent = ObservedLocks.of(locks, ObservationRegistry.NOOP);

        assertThat(silent.<String, RuntimeException>tryCallWithLock(request, lock -> "done"))
                .contains("done");
        assertThat(silent.tryAcquire(request)).isPresent();

        TestObservationRegistryAssert.assertThat(observations.registry).doesNotHaveAnyObservation();
    }

    @Test
    void conventionOfTheUserReplacesTheDefault() throws InterruptedException {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig()
                .observationHandler(new DefaultMeterObservationHandler(meters))
                .observationConvention(new NamedAcquisitions());

        ObservedLocks.of(locks, registry).withLock(request, lock -> {});

        MeterRegistryAssert.assertThat(meters)
                .hasTimerWithNameAndTags("mongo.locks.acquire", KeyValues.of("lock", "lock", "outcome", "acquired"))
                .hasTimerWithNameAndTags("mongo.locks.work", KeyValues.of("outcome", "done"))
                .doesNotHaveTimerWithNameAndTagKeys("mongo.locks.work", "lock");
    }

    private void forceRelease() throws InterruptedException {
        assertThat(locks.forceRelease(locks.inspect("lock").orElseThrow())).isTrue();
    }

    private static final class NamedAcquisitions implements LockObservationConvention {
        @Override
        public LockObservation observation() {
            return LockObservation.ACQUIRE;
        }

        @Override
        public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
            return LockObservationConvention.super
                    .getLowCardinalityKeyValues(context)
                    .and("lock", context.lockName().value());
        }
    }
}
