/**
 * One client without its driver: its parts, and how they are connected. Internal: not exported to users, may change at any
 * time.
 */
package org.mongolocks.internal.engine;
