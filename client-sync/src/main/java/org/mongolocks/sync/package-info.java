/** Locks on the synchronous MongoDB driver; {@link org.mongolocks.sync.LockClient} is where to begin. */
package org.mongolocks.sync;
