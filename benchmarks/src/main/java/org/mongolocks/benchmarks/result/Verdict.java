package org.mongolocks.benchmarks.result;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Is what became of a contender.
 *
 * @param status in a word
 * @param reason in a sentence, unless it was measured and sound
 * @param failures in which benchmarks it failed
 */
public record Verdict(Status status, Optional<String> reason, List<Failure> failures) {
    /** Is what became of a contender, in a word. */
    public enum Status {
        /** It was measured. */
        MEASURED,
        /** It could not be measured. */
        SKIPPED,
        /** It let two hold a lock at once: its figures say nothing. */
        VOID;

        /** Gives the name for programs. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static final Verdict MEASURED = new Verdict(Status.MEASURED, Optional.empty(), List.of());

    public Verdict {
        failures = List.copyOf(failures);
    }

    /** Gives the verdict on who could not be measured. */
    public static Verdict skipped(String reason) {
        return new Verdict(Status.SKIPPED, Optional.of(reason), List.of());
    }

    /** Gives the verdict on who did not exclude. */
    public static Verdict voided(String reason) {
        return new Verdict(Status.VOID, Optional.of(reason), List.of());
    }

    /** Gives the same with other failures. */
    public Verdict with(List<Failure> others) {
        return new Verdict(status, reason, others);
    }

    /** Tells whether it failed in a benchmark. */
    public boolean hasFailedIn(String benchmark) {
        return failures.stream().anyMatch(failure -> failure.benchmark().equals(benchmark));
    }
}
