package org.mongolocks.benchmarks.result;

/**
 * The drift of a baseline in a benchmark, so high that small differences between its times are not significant.
 *
 * @param benchmark the id of the benchmark
 * @param floor the id of the baseline with the highest drift
 * @param client the client
 * @param value by how much the upper quartile of its turns exceeded the lower: 0.1 is 10 %
 */
public record BaselineDrift(String benchmark, String floor, Client client, double value) {}
