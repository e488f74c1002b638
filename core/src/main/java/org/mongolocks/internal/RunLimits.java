package org.mongolocks.internal;

/**
 * Bounds what one run sends.
 *
 * @param writes knows which writes may come late; one for all runs of a client
 * @param commands says how long each command may take; one for each run
 */
public record RunLimits(WriteGuard writes, CommandLimit commands) {}
