package org.mongolocks.benchmarks.measure;

/**
 * Tells how a strategy did while nobody else wanted its lock.
 *
 * @param acquireRelease how long it took to acquire and release
 * @param ratio the same against two raw {@code findAndModify}
 */
public record Alone(Latency acquireRelease, FloorRatio ratio) {}
