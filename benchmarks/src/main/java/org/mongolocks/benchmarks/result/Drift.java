package org.mongolocks.benchmarks.result;

/**
 * Tells that a floor drifted so far in a benchmark that small differences between its times mean nothing.
 *
 * @param benchmark the id of the benchmark
 * @param floor the id of the floor that drifted furthest
 * @param client through which client
 * @param value how much larger the upper quartile of its turns was than the lower: 0.1 is 10 %
 */
public record Drift(String benchmark, String floor, Client client, double value) {}
