/** Locks that the same owner enters several times. Internal: not exported to users, may change at any time. */
package org.mongolocks.internal.reentrant;
