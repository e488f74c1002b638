/**
 * Waiting for a contended lock. Internal: not exported to users, may change at any time.
 *
 * <p>An acquisition that waits has a {@link org.mongolocks.internal.wait.Waiter}. The waiter is in a
 * {@link org.mongolocks.internal.wait.WaiterQueue}: all waiters of a client for one lock share a queue, but each fair waiter
 * has its own. Only the head of a queue sends commands. The lock document has a list of all waiters; the queue knows its
 * {@link org.mongolocks.internal.wait.ListEntry} there, and the command that acquires the lock decides by that list whose
 * turn it is.
 *
 * <p>A {@link org.mongolocks.internal.wait.ReleaseWatcher} keeps a change stream open while a client waits. Its
 * {@link org.mongolocks.internal.wait.ReleaseEvents} show whose turn it is. {@link org.mongolocks.internal.wait.LookDelays}
 * decides when a head looks at the lock without an event.
 *
 * <p>{@link org.mongolocks.internal.wait.WaiterQueues} has the queues of a client, and its table says what a head does next.
 * A {@link org.mongolocks.internal.wait.LastSeenCache} remembers how the client last saw each lock, awaited or not.
 */
package org.mongolocks.internal.wait;
