package org.mongolocks.study.simulation;

import java.util.List;
import org.mongolocks.study.history.Command;

/**
 * Is a run whose commands were written down.
 *
 * @param outcome what came of it, the same as without
 * @param commands every sending of every command, in the order of sending
 */
public record Traced(Outcome outcome, List<Command> commands) {}
