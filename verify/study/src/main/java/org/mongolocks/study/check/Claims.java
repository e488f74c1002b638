package org.mongolocks.study.check;

/**
 * The claims of a technique, by which it is judged.
 *
 * @param hasTokens whether grants have tokens that grow
 * @param hasLease whether a grant ends by itself
 * @param isOptimistic whether many may work at once, and a release writes the protected document only if no other has
 *     written it since; the token of a grant is the version that it read
 */
public record Claims(boolean hasTokens, boolean hasLease, boolean isOptimistic) {}
