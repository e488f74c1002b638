/**
 * The monotonic time of a client, and the timer that runs by it, which tests replace. Exported to the modules of this project
 * only.
 */
package org.mongolocks.time;
