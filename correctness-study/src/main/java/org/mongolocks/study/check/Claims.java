package org.mongolocks.study.check;

/**
 * Says what a technique claims, so that it is judged by that.
 *
 * @param hasTokens whether grants have tokens that grow
 * @param hasLease whether a grant ends by itself
 * @param isOptimistic whether many may work at once, and a release writes the protected document only if nobody else has
 *     since; the number of a grant is the version that it read
 */
public record Claims(boolean hasTokens, boolean hasLease, boolean isOptimistic) {}
