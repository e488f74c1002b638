/**
 * Locks on the reactive-streams MongoDB driver; {@link org.mongolocks.reactive.ReactiveLockClient} is where to begin.
 */
package org.mongolocks.reactive;
