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
public record CommandMatcher(Set<String> commands, int skipped, int times) {
    /** Checks the counts. */
    public CommandMatcher {
        commands = Set.copyOf(commands);
        if (commands.isEmpty() || skipped < 0 || times < 1) {
            throw new IllegalArgumentException("A trap must match at least one of some commands, but it was to match "
                    + times + " of " + commands + " after " + skipped);
        }
    }

    /** Matches the next command with any of these names. */
    public static CommandMatcher atNext(List<String> commands) {
        return new CommandMatcher(Set.copyOf(commands), 0, 1);
    }

    /** Matches every command with any of these names. */
    public static CommandMatcher atAll(List<String> commands) {
        return new CommandMatcher(Set.copyOf(commands), 0, Integer.MAX_VALUE);
    }
}
