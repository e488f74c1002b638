/**
 * The lock API: what is asked for, what is granted, and how a lock is lost.
 *
 * <p>A lock is held for a bounded time. No lock keeps a paused holder from going on after its lease: write what the
 * lock guards with {@link org.mongolocks.Lease#fencingToken()}, and have a smaller token refused.
 */
package org.mongolocks;
