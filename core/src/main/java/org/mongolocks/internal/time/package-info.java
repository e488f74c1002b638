/** The time of a client, and the timer that runs by it. Internal: may change at any time. */
package org.mongolocks.internal.time;
