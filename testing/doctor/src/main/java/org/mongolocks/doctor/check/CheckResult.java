package org.mongolocks.doctor.check;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The result of one check.
 *
 * @param id the name of the check, the same in every version of the report
 * @param status the status of the promises
 * @param seen the observation, a sentence
 * @param promises the promises that it concerns
 * @param strategies the names of the strategies that it concerns
 * @param advice the recommended actions, a sentence each; none if all is well
 */
public record CheckResult(
        String id, Status status, String seen, Set<Promise> promises, Set<String> strategies, List<String> advice) {

    /** The status of the promises of a check. */
    public enum Status {
        /** They hold, as far as this check can see. */
        OK("ok"),
        /** They hold, but less well, or only under a condition. */
        WARNING("warning"),
        /** They do not hold. */
        BROKEN("does not hold"),
        /** The server did not allow the check, or gave no reply. */
        UNSEEN("could not look");

        private final String text;

        Status(String text) {
            this.text = text;
        }

        /** Returns the status in words. */
        public String text() {
            return text;
        }
    }

    /** Copies the collections. */
    public CheckResult {
        promises = promises.isEmpty() ? Set.of() : EnumSet.copyOf(promises);
        strategies = new TreeSet<>(strategies);
        advice = List.copyOf(advice);
    }

    /** Returns the same finding with more advice. */
    public CheckResult advise(String more) {
        List<String> all = new ArrayList<>(advice);
        all.add(more);
        return new CheckResult(id, status, seen, promises, strategies, all);
    }

    /** Returns what to do about it: its own advice, or where to look if the doctor could not. */
    public List<String> toDo() {
        return status == Status.UNSEEN && advice.isEmpty()
                ? List.of("Not known: " + id + " (" + seen
                        + "). docs/doctor.md says what this check examines, and the rights that it needs.")
                : advice;
    }

    /** Returns whether it concerns a promise for a strategy. */
    public boolean isAbout(Promise promise, String strategy) {
        return promises.contains(promise) && strategies.contains(strategy);
    }
}
