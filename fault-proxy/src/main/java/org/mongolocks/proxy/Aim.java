package org.mongolocks.proxy;

import java.util.List;
import java.util.Set;

/**
 * Says which commands a trap catches.
 *
 * @param commands the names of the commands
 * @param skipped how many of them pass before
 * @param times how many are caught; the others pass
 */
public record Aim(Set<String> commands, int skipped, int times) {
    /** Checks the counts. */
    public Aim {
        commands = Set.copyOf(commands);
        if (commands.isEmpty() || skipped < 0 || times < 1) {
            throw new IllegalArgumentException("A trap catches at least one of some commands, but it was to catch "
                    + times + " of " + commands + " after " + skipped);
        }
    }

    /** Aims at the next command of any of these names. */
    public static Aim atNext(List<String> commands) {
        return new Aim(Set.copyOf(commands), 0, 1);
    }

    /** Aims at every command of these names. */
    public static Aim atAll(List<String> commands) {
        return new Aim(Set.copyOf(commands), 0, Integer.MAX_VALUE);
    }
}
