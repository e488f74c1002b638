package org.mongolocks.study.sim;

import org.mongolocks.study.history.History;

/**
 * The outcome of a run.
 *
 * @param history the history
 * @param commands how many commands were sent until all clients had stopped
 * @param events how many events there were
 */
public record Outcome(History history, long commands, long events) {}
