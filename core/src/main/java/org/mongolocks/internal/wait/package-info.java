/**
 * Waiting for locks: local queues, the fair queue on the server, change streams and polling. Internal: not exported to
 * users, may change at any time.
 */
package org.mongolocks.internal.wait;
