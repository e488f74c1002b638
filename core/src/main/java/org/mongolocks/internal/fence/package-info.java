/**
 * Fencing of user data: filters and updates that refuse a write with an old token. Internal: not exported to users, may
 * change at any time.
 */
package org.mongolocks.internal.fence;
