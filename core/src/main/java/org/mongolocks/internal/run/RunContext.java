package org.mongolocks.internal.run;

/**
 * The context of one run.
 *
 * @param writes tracks which writes may be executed late; one for all runs of a client
 * @param commands limits the time of each command; one for each run
 */
public record RunContext(RetryableWriteTracker writes, TimeBudget commands) {}
