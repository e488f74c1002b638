package org.mongolocks.benchmarks.measure;

/**
 * The results of a strategy without contention.
 *
 * @param acquireRelease the latency of acquire and release
 * @param ratio the ratio of that latency to two raw {@code findAndModify}
 */
public record UncontendedResult(Latency acquireRelease, BaselineRatio ratio) {}
