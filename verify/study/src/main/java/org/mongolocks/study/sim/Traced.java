package org.mongolocks.study.sim;

import java.util.List;
import org.mongolocks.study.history.CommandRecord;

/**
 * A run with its recorded commands.
 *
 * @param outcome the outcome, the same as without recording
 * @param commands every sending of every command, in order
 */
public record Traced(Outcome outcome, List<CommandRecord> commands) {}
