package org.mongolocks.benchmarks.result;

/**
 * Is a benchmark that a contender could not go through: what it came to there does not count.
 *
 * @param benchmark the id of the benchmark
 * @param reason in a sentence
 */
public record Failure(String benchmark, String reason) {}
