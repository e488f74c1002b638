package org.mongolocks.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockRequest;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ServerFinder;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** The observations of calls of the reactive client. */
class ReactiveObservedLocksTest {
    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final String database = "observed-" + UUID.randomUUID();
    private final LockRequest request =
            LockRequest.of("lock", Duration.ofMinutes(10)).fixedLease();
    private final RecordedObservations observations = new RecordedObservations();
    private ReactiveLockClient locks;
    private ReactiveObservedLocks observed;

    @BeforeEach
    void open() {
        locks = ReactiveLockClient.builder(connection.reactive(), database)
                .drainTimeout(Duration.ZERO)
                .strategy("findandmodify-counter")
                .build()
                .blockOptional()
                .orElseThrow();
        observed = ReactiveObservedLocks.of(locks, observations.registry);
    }

    @AfterEach
    void close() {
        locks.close();
        connection.sync().getDatabase(database).drop();
        observations.assertComplete();
    }

    @Test
    void acquisitionIsObservedFromTheSubscription() {
        Mono<ReactiveHeldLock> acquisition = observed.tryAcquire(request);
        TestObservationRegistryAssert.assertThat(observations.registry).doesNotHaveAnyObservation();

        ReactiveHeldLock held = acquisition.blockOptional().orElseThrow();

        TestObservationRegistryAssert.assertThat(observations.registry)
                .hasSingleObservationThat()
                .hasNameEqualTo("mongo.locks.acquire")
                .hasBeenStopped()
                .doesNotHaveError()
                .hasLowCardinalityKeyValue("mode", "reactive")
                .hasLowCardinalityKeyValue("outcome", "acquired")
                .hasHighCardinalityKeyValue("fencing.token", Long.toString(held.fencingToken()));
    }

    @Test
    void contentionIsNoError() {
        locks.acquire(request).block();

        assertThat(observed.tryAcquire(request).blockOptional()).isEmpty();
        assertThat(observed.tryWithLock(request, lock -> Mono.empty()).block()).isFalse();
        assertThat(observed.tryCallWithLock(request, lock -> Mono.just("done")).blockOptional())
                .isEmpty();
        assertThatExceptionOfType(LockContendedException.class).isThrownBy(observed.acquire(request)::block);
        assertThatExceptionOfType(LockContendedException.class)
                .isThrownBy(observed.callWithLock(request, lock -> Mono.just("done"))::block);

        assertThat(observations.outcomes()).hasSize(5).containsOnly("mongo.locks.acquire contended");
        TestObservationRegistryAssert.assertThat(observations.registry)
                .forAllObservationsWithNameEqualTo("mongo.locks.acquire", each -> each.doesNotHaveError());
    }

    @Test
    void errorIsRecordedOnRefusal() {
        locks.close();

        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(observed.tryAcquire(request)::block);

        assertThat(observations.outcomes()).containsExactly("mongo.locks.acquire failed");
        assertThat(observations.only(LockObservation.ACQUIRE).getError()).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void cancelledAcquisitionIsStopped() throws Exception {
        locks.acquire(request).block();
        Disposable waiter =
                observed.tryAcquire(request.waitAtMost(Duration.ofMinutes(1))).subscribe();
        Eventually.isTrue("the acquisition has begun", observations::hasStarted);

        waiter.dispose();

        assertThat(observations.outcomes()).containsExactly("mongo.locks.acquire cancelled");
        assertThat(observations.only(LockObservation.ACQUIRE).getError()).isNull();
    }

    @Test
    void cancelledWorkIsStopped() throws Exception {
        Disposable work = observed.tryWithLock(request, lock -> Mono.never()).subscribe();
        Eventually.isTrue("the work has begun", () -> observations.outcomes().size() == 1);

        work.dispose();

        Eventually.isTrue("the work has ended", () -> observations.outcomes().size() == 2);
        assertThat(observations.outcomes())
                .containsExactly("mongo.locks.acquire acquired", "mongo.locks.work cancelled");
    }

    @Test
    void workFindsItsObservationInTheContext() {
        Observation caller = Observation.start("caller", observations.registry);

        Mono<String> name = observed.tryCallWithLock(
                        request,
                        lock -> Mono.deferContextual(
                                context -> Mono.justOrEmpty(context.<Observation>get(ReactiveObservedLocks.KEY)
                                        .getContext()
                                        .getName())))
                .contextWrite(context -> context.put(ReactiveObservedLocks.KEY, caller));
        assertThat(name.block()).isEqualTo("mongo.locks.work");
        caller.stop();

        assertThat(observations.outcomes()).containsExactly("mongo.locks.acquire acquired", "mongo.locks.work done");
        for (LockObservation each : LockObservation.values()) {
            assertThat(observations.only(each).getParentObservation()).isSameAs(caller);
        }
    }

    @Test
    void failureOfTheWorkIsAnErrorOfTheWork() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        observed.tryWithLock(request, lock -> Mono.error(new IllegalArgumentException("wrong")))
                                ::block);

        assertThat(observations.outcomes()).containsExactly("mongo.locks.acquire acquired", "mongo.locks.work failed");
        assertThat(observations.only(LockObservation.WORK).getError()).hasMessage("wrong");
    }

    @Test
    void lossCountsOnce() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(observed.tryWithLock(
                        request, lock -> locks.inspect("lock").flatMap(locks::forceRelease))::block);

        assertThat(observations.outcomes()).containsExactly("mongo.locks.acquire acquired", "mongo.locks.work lost");
    }

    @Test
    void registryWithoutHandlersLeavesTheContextAsItIs() {
        Observation caller = Observation.start("caller", observations.registry);
        ReactiveObservedLocks silent = ReactiveObservedLocks.of(locks, ObservationRegistry.NOOP);

        Mono<Observation> found = silent.callWithLock(
                        request,
                        lock -> Mono.deferContextual(
                                context -> Mono.just(context.<Observation>get(ReactiveObservedLocks.KEY))))
                .contextWrite(context -> context.put(ReactiveObservedLocks.KEY, caller));

        assertThat(found.block()).isSameAs(caller);
        caller.stop();
    }

    /** The class cannot be loaded without the library that it is made for. */
    @Test
    void keyIsThatOfMicrometer() throws IOException {
        String accessor = "/io/micrometer/observation/contextpropagation/ObservationThreadLocalAccessor.class";
        try (InputStream file = Observation.class.getResourceAsStream(accessor)) {
            String constants = new String(file.readAllBytes(), StandardCharsets.ISO_8859_1);

            assertThat(constants).contains("\u0000\u0016" + ReactiveObservedLocks.KEY);
        }
    }
}
