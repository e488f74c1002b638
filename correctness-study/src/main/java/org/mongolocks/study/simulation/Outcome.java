package org.mongolocks.study.simulation;

import org.mongolocks.study.history.History;

/**
 * Is what came of a run.
 *
 * @param history what was seen
 * @param commands how many commands were sent until everybody had stopped
 * @param events how many events there were
 */
public record Outcome(History history, long commands, long events) {}
