package org.mongolocks.micrometer;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import java.util.OptionalLong;
import org.mongolocks.LockName;

/** The context of an observation of a lock, for conventions and handlers. The library creates it. */
public final class LockObservationContext extends Observation.Context {
    private final LockObservation observation;
    private final LockName name;
    private final String strategy;
    private final String mode;
    private volatile String outcome = KeyValue.NONE_VALUE;
    private volatile OptionalLong fencingToken = OptionalLong.empty();

    LockObservationContext(LockObservation observation, LockName name, String strategy, String mode) {
        this.observation = observation;
        this.name = name;
        this.strategy = strategy;
        this.mode = mode;
    }

    /**
     * Returns which of the observations this is.
     *
     * @return the observation
     */
    public LockObservation observation() {
        return observation;
    }

    /**
     * Returns the name of the lock.
     *
     * @return the name
     */
    public LockName lockName() {
        return name;
    }

    /**
     * Returns the name of the strategy.
     *
     * @return the name
     */
    public String strategy() {
        return strategy;
    }

    /**
     * Returns which client was called.
     *
     * @return {@code sync} or {@code reactive}
     */
    public String mode() {
        return mode;
    }

    /**
     * Returns how the observation ended.
     *
     * @return one of the outcomes of the {@link LockObservation}; {@code none} until it has ended
     */
    public String outcome() {
        return outcome;
    }

    /**
     * Returns the token of the grant.
     *
     * @return the token; empty without a grant
     */
    public OptionalLong fencingToken() {
        return fencingToken;
    }

    void granted(long token) {
        fencingToken = OptionalLong.of(token);
    }

    void ended(String how) {
        outcome = how;
    }
}
