package org.mongolocks.micrometer;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import java.util.OptionalLong;
import org.mongolocks.micrometer.LockObservation.HighCardinalityKey;
import org.mongolocks.micrometer.LockObservation.LowCardinalityKey;

/**
 * The name and the keys of an observation of a lock. To change them, override its methods, and add the convention to
 * {@code registry.observationConfig().observationConvention(...)}; Spring Boot does that with a bean. The name of the
 * lock as a tag of the timer, for a program with few locks:
 *
 * <pre>{@code
 * class NamedAcquisitions implements LockObservationConvention {
 *     public LockObservation observation() {
 *         return LockObservation.ACQUIRE;
 *     }
 *
 *     public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
 *         return LockObservationConvention.super.getLowCardinalityKeyValues(context)
 *                 .and("lock", context.lockName().value());
 *     }
 * }
 * }</pre>
 */
@FunctionalInterface
public interface LockObservationConvention extends GlobalObservationConvention<LockObservationContext> {
    /**
     * Returns which observation this is the convention of.
     *
     * @return the observation
     */
    LockObservation observation();

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof LockObservationContext lock && lock.observation() == observation();
    }

    @Override
    default String getName() {
        return observation().getName();
    }

    /**
     * Returns the name of a span: it has no name of a lock, so that spans can be grouped by it.
     *
     * @param context the context
     * @return {@code lock acquire} or {@code lock work}
     */
    @Override
    default String getContextualName(LockObservationContext context) {
        return observation() == LockObservation.ACQUIRE ? "lock acquire" : "lock work";
    }

    @Override
    default KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
        return KeyValues.of(
                LowCardinalityKey.STRATEGY.withValue(context.strategy()),
                LowCardinalityKey.MODE.withValue(context.mode()),
                LowCardinalityKey.OUTCOME.withValue(context.outcome()));
    }

    @Override
    default KeyValues getHighCardinalityKeyValues(LockObservationContext context) {
        OptionalLong token = context.fencingToken();
        return KeyValues.of(
                HighCardinalityKey.LOCK_NAME.withValue(context.lockName().value()),
                HighCardinalityKey.FENCING_TOKEN.withValue(
                        token.isPresent() ? Long.toString(token.getAsLong()) : KeyValue.NONE_VALUE));
    }
}
