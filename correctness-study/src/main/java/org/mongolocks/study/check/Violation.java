package org.mongolocks.study.check;

/**
 * Is something that must not happen and did.
 *
 * @param finding what
 * @param first the grant that was there first; 0 if it is not about grants
 * @param second the grant that came into conflict with it
 * @param atNanos when
 */
public record Violation(Finding finding, int first, int second, long atNanos) {}
