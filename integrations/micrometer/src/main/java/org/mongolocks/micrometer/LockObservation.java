package org.mongolocks.micrometer;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of a call of {@link ObservedLocks} or {@link ReactiveObservedLocks}. Both have the same parent: that
 * of the call.
 */
public enum LockObservation implements ObservationDocumentation {
    /**
     * The acquisition of a lock, from the call to its end. Its outcome is {@code acquired}, {@code contended} (no
     * error), {@code indeterminate}, {@code cancelled} (also if the thread was interrupted; no error) or
     * {@code failed}.
     */
    ACQUIRE("mongo.locks.acquire"),

    /**
     * The work under a lock and the release after it. Its outcome is {@code done}, {@code lost} (the lock was lost
     * before the end of the work; an error), {@code cancelled} (no error) or {@code failed}.
     */
    WORK("mongo.locks.work");

    private final String title;

    LockObservation(String title) {
        this.title = title;
    }

    @Override
    public String getName() {
        return title;
    }

    @Override
    public KeyName[] getLowCardinalityKeyNames() {
        return LowCardinalityKey.values();
    }

    @Override
    public KeyName[] getHighCardinalityKeyNames() {
        return HighCardinalityKey.values();
    }

    /** The keys with few values, which timers have as tags too. */
    public enum LowCardinalityKey implements KeyName {
        /** The name of the strategy. */
        STRATEGY("strategy"),
        /** The client: {@code sync} or {@code reactive}. */
        MODE("mode"),
        /** How the observation ended; {@code none} until then. */
        OUTCOME("outcome");

        private final String key;

        LowCardinalityKey(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }

    /** The keys with many values, for traces. */
    public enum HighCardinalityKey implements KeyName {
        /** The name of the lock. */
        LOCK_NAME("lock.name"),
        /** The fencing token of the grant; {@code none} without a grant. */
        FENCING_TOKEN("fencing.token");

        private final String key;

        HighCardinalityKey(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }
}
