package org.mongolocks.proxy;

import java.util.List;
import java.util.Set;

/**
 * The commands that a trap matches.
 *
 * @param commands the names of the commands
 * @param skipped how many of them pass first
 * @param times how many match after that; the others pass
 */
public record Aim(Set<String> commands, int skipped, int times) {
    /** Checks the counts. */
    public Aim {
        commands = Set.copyOf(commands);
        if (commands.isEmpty() || skipped < 0 || times < 1) {
            throw new IllegalArgumentException("A trap must match at least one of some commands, but it was to match "
                    + times + " of " + commands + " after " + skipped);
        }
    }

    /** Matches the next command with any of these names. */
    public static Aim atNext(List<String> commands) {
        return new Aim(Set.copyOf(commands), 0, 1);
    }

    /** Matches every command with any of these names. */
    public static Aim atAll(List<String> commands) {
        return new Aim(Set.copyOf(commands), 0, Integer.MAX_VALUE);
    }
}
