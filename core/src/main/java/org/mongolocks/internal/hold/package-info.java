/**
 * Held locks: renewal, expiry, loss signals, release and guarded transactions. Internal: not exported to users, may
 * change at any time.
 */
package org.mongolocks.internal.hold;
