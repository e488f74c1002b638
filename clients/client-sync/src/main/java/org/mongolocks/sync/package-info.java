/** Locks on the synchronous MongoDB driver; {@link org.mongolocks.sync.LockClient} is the entry point. */
package org.mongolocks.sync;
