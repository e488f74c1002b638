package org.mongolocks.study.check;

/**
 * Says what a technique claims, so that it is judged by that.
 *
 * @param hasTokens whether grants have tokens that grow
 * @param hasLease whether a grant ends by itself
 */
public record Claims(boolean hasTokens, boolean hasLease) {}
