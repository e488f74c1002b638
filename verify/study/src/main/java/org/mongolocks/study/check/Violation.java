package org.mongolocks.study.check;

/**
 * A violation in a history.
 *
 * @param finding its kind
 * @param first the earlier grant; 0 if it is not about grants
 * @param second the grant that conflicts with it
 * @param atNanos when it happened
 */
public record Violation(Finding finding, int first, int second, long atNanos) {}
