package org.mongolocks.benchmarks.result;

/**
 * The ratio of a measurement to the same measurement of a baseline, taken alternately in one run.
 *
 * @param to the id of the baseline
 * @param times the ratio
 */
public record Ratio(String to, Estimate times) {}
