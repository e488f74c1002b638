package org.mongolocks.benchmarks.result;

import java.util.Locale;
import java.util.Optional;

/**
 * Is what became of a contender.
 *
 * @param status in a word
 * @param reason in a sentence, unless it was measured and sound
 */
public record Verdict(Status status, Optional<String> reason) {
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

    static final Verdict MEASURED = new Verdict(Status.MEASURED, Optional.empty());

    /** Gives the verdict on who could not be measured. */
    public static Verdict skipped(String reason) {
        return new Verdict(Status.SKIPPED, Optional.of(reason));
    }

    /** Gives the verdict on who did not exclude. */
    public static Verdict voided(String reason) {
        return new Verdict(Status.VOID, Optional.of(reason));
    }
}
