package org.mongolocks.benchmarks.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The verdict on a contender.
 *
 * @param status the category
 * @param reason the reason in a sentence, unless it was measured without a violation
 * @param failures its failures, by benchmark
 */
public record MeasurementStatus(
        Status status,
        Optional<String> reason,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Failure> failures) {
    /** A category of verdicts. */
    public enum Status {
        /** It was measured. */
        MEASURED,
        /** It could not be measured. */
        SKIPPED,
        /** It violated mutual exclusion: its figures are meaningless. */
        VOID;

        /** Returns the name in JSON. */
        @JsonValue
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The failure of a contender in a benchmark. Its measurements in that benchmark do not count.
     *
     * @param benchmark the id of the benchmark
     * @param reason the reason in a sentence
     */
    public record Failure(String benchmark, String reason) {}

    static final MeasurementStatus MEASURED = new MeasurementStatus(Status.MEASURED, Optional.empty(), List.of());

    public MeasurementStatus {
        failures = List.copyOf(failures);
    }

    /** Returns the verdict on a contender that could not be measured. */
    public static MeasurementStatus skipped(String reason) {
        return new MeasurementStatus(Status.SKIPPED, Optional.of(reason), List.of());
    }

    /** Returns the verdict on a contender that violated mutual exclusion. */
    public static MeasurementStatus voided(String reason) {
        return new MeasurementStatus(Status.VOID, Optional.of(reason), List.of());
    }

    /** Returns a copy with other failures. */
    public MeasurementStatus with(List<Failure> others) {
        return new MeasurementStatus(status, reason, others);
    }

    /** Returns whether the contender failed in a benchmark. */
    public boolean hasFailedIn(String benchmark) {
        return failures.stream().anyMatch(failure -> failure.benchmark().equals(benchmark));
    }
}
