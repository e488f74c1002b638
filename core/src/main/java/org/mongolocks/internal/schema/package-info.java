/**
 * Collections and indexes: created, validated and inspected when a client is built. Internal: not exported to users,
 * may change at any time.
 */
package org.mongolocks.internal.schema;
