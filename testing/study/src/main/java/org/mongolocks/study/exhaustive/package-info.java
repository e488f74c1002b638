/**
 * Searches all interleavings of small worlds: the strategies and the engine as they ship, on the engine of the embedded server.
 * {@link org.mongolocks.study.exhaustive.SmallWorld} says what may happen, {@link
 * org.mongolocks.study.exhaustive.Transitions} makes the next states, {@link org.mongolocks.study.exhaustive.Search} visits
 * them.
 */
package org.mongolocks.study.exhaustive;
