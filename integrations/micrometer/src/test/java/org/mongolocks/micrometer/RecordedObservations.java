package org.mongolocks.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** A registry that checks the order of calls, and what it has seen of locks. */
final class RecordedObservations {
    final TestObservationRegistry registry;
    private final List<LockObservationContext> started = new CopyOnWriteArrayList<>();
    private final List<LockObservationContext> stopped = new CopyOnWriteArrayList<>();

    RecordedObservations() {
        this(TestObservationRegistry.create());
    }

    RecordedObservations(TestObservationRegistry registry) {
        this.registry = registry;
        registry.observationConfig().observationHandler(new ObservationHandler<LockObservationContext>() {
            @Override
            public void onStart(LockObservationContext context) {
                started.add(context);
            }

            @Override
            public void onStop(LockObservationContext context) {
                stopped.add(context);
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return context instanceof LockObservationContext;
            }
        });
    }

    /**
     * Returns how the observations ended, in the order in which they were stopped:
     * {@code mongo.locks.acquire acquired}.
     */
    List<String> outcomes() {
        return stopped.stream()
                .map(context -> context.getName() + " "
                        + context.getLowCardinalityKeyValues().stream()
                                .filter(key -> key.getKey().equals("outcome"))
                                .map(KeyValue::getValue)
                                .findFirst()
                                .orElseThrow())
                .toList();
    }

    boolean hasStarted() {
        return !started.isEmpty();
    }

    LockObservationContext only(LockObservation observation) {
        List<LockObservationContext> of = stopped.stream()
                .filter(context -> context.observation() == observation)
                .toList();
        assertThat(of).hasSize(1);
        return of.get(0);
    }

    /** Checks that each that was started was stopped once, and that its keys are those of the documentation. */
    void assertComplete() {
        assertThat(stopped).containsExactlyInAnyOrderElementsOf(started);
        assertThat(registry.getCurrentObservation()).isNull();
        assertThat(stopped).allSatisfy(context -> {
            assertThat(keys(context.getLowCardinalityKeyValues()))
                    .containsExactlyInAnyOrderElementsOf(
                            keys(context.observation().getLowCardinalityKeyNames()));
            assertThat(keys(context.getHighCardinalityKeyValues()))
                    .containsExactlyInAnyOrderElementsOf(
                            keys(context.observation().getHighCardinalityKeyNames()));
        });
    }

    private static List<String> keys(KeyValues values) {
        return values.stream().map(KeyValue::getKey).toList();
    }

    private static List<String> keys(KeyName[] names) {
        return Stream.of(names).map(KeyName::asString).toList();
    }
}
