package org.mongolocks.benchmarks.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;

/**
 * A contender, with the properties that matter for the interpretation of its figures.
 *
 * @param id the name in JSON
 * @param kind its kind
 * @param title the name for the user
 * @param properties its guarantees
 * @param traits the names of the traits of a strategy; empty for other kinds
 * @param verdict the verdict on it
 */
public record LockUnderTest(
        String id,
        Kind kind,
        String title,
        @JsonUnwrapped Properties properties,
        List<String> traits,
        @JsonUnwrapped MeasurementStatus verdict) {
    public LockUnderTest {
        traits = List.copyOf(traits);
    }

    /** The kind of a contender. */
    public enum Kind {
        /** A strategy of this library. */
        STRATEGY,
        /** A baseline: raw commands, which no lock of its kind can beat. */
        BASELINE,
        /** Another library. */
        PEER;

        /** Returns the name in JSON, where a baseline is a {@code floor}. */
        @JsonValue
        public String id() {
            return this == BASELINE ? "floor" : name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The guarantees of a contender, each in a few words.
     *
     * @param durability the durable state when a grant is reported
     * @param fencing whether each grant has a fencing token that grows
     * @param ownerCheck whether only the owner can release
     * @param clock the clock that determines whether a lease has expired
     * @param waiting how a waiter detects a release
     * @param retrySafe whether an operation can be retried after a lost reply
     */
    public record Properties(
            String durability, String fencing, String ownerCheck, String clock, String waiting, String retrySafe) {
        private static final String NONE = "none";

        /** Returns the guarantees of raw commands: durability and nothing else. */
        public static Properties ofBaseline(String durability) {
            return new Properties(durability, NONE, NONE, NONE, NONE, NONE);
        }
    }

    /** Returns a contender that is to be measured. */
    public static LockUnderTest of(String id, Kind kind, String title, Properties properties) {
        return new LockUnderTest(id, kind, title, properties, List.of(), MeasurementStatus.MEASURED);
    }

    /** Returns a strategy that is to be measured, with the properties common to all clients, and its traits. */
    public static LockUnderTest of(LockStrategy strategy) {
        Set<Trait> traits = strategy.traits();
        String clock = traits.contains(Trait.CLOCK_FREE)
                ? "none compared"
                : traits.contains(Trait.SERVER_CLOCK) ? "server's" : "own";
        return of(
                        strategy.name(),
                        Kind.STRATEGY,
                        strategy.name(),
                        new Properties(
                                "majority and journal",
                                traits.contains(Trait.STRICT_FENCING)
                                        ? "strictly growing"
                                        : "growing while clocks agree",
                                "owner and token",
                                clock,
                                "in a queue; notified by a change stream, otherwise polling",
                                "yes"))
                .with(traits.stream().sorted().map(Trait::name).toList());
    }

    /** Returns a copy with the traits of a strategy. */
    public LockUnderTest with(List<String> ofStrategy) {
        return new LockUnderTest(id, kind, title, properties, ofStrategy, verdict);
    }

    /** Returns a copy with another verdict. */
    public LockUnderTest with(MeasurementStatus other) {
        return new LockUnderTest(id, kind, title, properties, traits, other);
    }
}
