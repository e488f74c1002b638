package org.mongolocks.benchmarks.result;

/**
 * Compares a measurement with the same of a floor, in turns of one run.
 *
 * @param to the id of the floor
 * @param times how many times the floor's value
 */
public record Ratio(String to, Estimate times) {}
