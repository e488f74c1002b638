package org.mongolocks.benchmarks.result;

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
public record Verdict(Status status, Optional<String> reason, List<Failure> failures) {
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

    static final Verdict MEASURED = new Verdict(Status.MEASURED, Optional.empty(), List.of());

    public Verdict {
        failures = List.copyOf(failures);
    }

    /** Returns the verdict on a contender that could not be measured. */
    public static Verdict skipped(String reason) {
        return new Verdict(Status.SKIPPED, Optional.of(reason), List.of());
    }

    /** Returns the verdict on a contender that violated mutual exclusion. */
    public static Verdict voided(String reason) {
        return new Verdict(Status.VOID, Optional.of(reason), List.of());
    }

    /** Returns a copy with other failures. */
    public Verdict with(List<Failure> others) {
        return new Verdict(status, reason, others);
    }

    /** Returns whether the contender failed in a benchmark. */
    public boolean hasFailedIn(String benchmark) {
        return failures.stream().anyMatch(failure -> failure.benchmark().equals(benchmark));
    }
}
