package org.mongolocks.benchmarks.result;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The verdict on a contender.
 *
 * @param status the category
 * @param reason the reason in a sentence, unless it was measured without a violation
 * @param unsupported the feature that the server lacks, if that is the reason
 * @param failures its failures, by benchmark
 */
public record MeasurementStatus(
        Status status, Optional<String> reason, Optional<Obstacle> unsupported, List<Failure> failures) {
    /** A category of verdicts. */
    public enum Status {
        /** It was measured. */
        MEASURED,
        /** It could not be measured. */
        SKIPPED,
        /** It violated mutual exclusion: its figures are meaningless. */
        VOID;

        /** Returns the name in JSON. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A category of reasons why a strategy was not measured. */
    public enum Why {
        /** The server is a standalone. */
        NEEDS_REPLICA_SET("needs a replica set"),
        /** The server lacks another feature. */
        UNSUPPORTED("not supported by this server"),
        /** The strategy failed. */
        FAILED("failed");

        private final String phrase;

        Why(String phrase) {
            this.phrase = phrase;
        }

        /** Returns the name for the user. */
        public String phrase() {
            return phrase;
        }

        /** Returns the name in JSON. */
        public String id() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * The reason why a strategy was not measured.
     *
     * @param why the category
     * @param reason the reason in a sentence
     */
    public record Obstacle(Why why, String reason) {}

    /**
     * The failure of a contender in a benchmark. Its measurements in that benchmark do not count.
     *
     * @param benchmark the id of the benchmark
     * @param reason the reason in a sentence
     */
    public record Failure(String benchmark, String reason) {}

    static final MeasurementStatus MEASURED =
            new MeasurementStatus(Status.MEASURED, Optional.empty(), Optional.empty(), List.of());

    public MeasurementStatus {
        failures = List.copyOf(failures);
    }

    /** Returns the verdict on a contender that could not be measured. */
    public static MeasurementStatus skipped(String reason) {
        return new MeasurementStatus(Status.SKIPPED, Optional.of(reason), Optional.empty(), List.of());
    }

    /** Returns the verdict on a strategy that the server does not support. */
    public static MeasurementStatus unsupported(Why why, String reason) {
        return new MeasurementStatus(
                Status.SKIPPED,
                Optional.of(why.phrase() + ": " + reason),
                Optional.of(new Obstacle(why, reason)),
                List.of());
    }

    /** Returns the verdict on a contender that violated mutual exclusion. */
    public static MeasurementStatus voided(String reason) {
        return new MeasurementStatus(Status.VOID, Optional.of(reason), Optional.empty(), List.of());
    }

    /** Returns a copy with other failures. */
    public MeasurementStatus with(List<Failure> others) {
        return new MeasurementStatus(status, reason, unsupported, others);
    }

    /** Returns whether the contender failed in a benchmark. */
    public boolean hasFailedIn(String benchmark) {
        return failures.stream().anyMatch(failure -> failure.benchmark().equals(benchmark));
    }

    /** Returns the reason for the missing measurement: the feature that the server lacks, or the first failure. */
    public Optional<Obstacle> obstacle() {
        return unsupported.or(
                () -> failures.stream().findFirst().map(failure -> new Obstacle(Why.FAILED, failure.reason())));
    }
}
