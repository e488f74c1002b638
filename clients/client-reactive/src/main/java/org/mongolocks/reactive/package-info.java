/**
 * Locks on the reactive-streams MongoDB driver; {@link org.mongolocks.reactive.ReactiveLockClient} is the entry point.
 */
package org.mongolocks.reactive;
