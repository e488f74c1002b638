package org.mongolocks.benchmarks.result;

/**
 * The failure of a contender in a benchmark. Its measurements in that benchmark do not count.
 *
 * @param benchmark the id of the benchmark
 * @param reason the reason in a sentence
 */
public record Failure(String benchmark, String reason) {}
