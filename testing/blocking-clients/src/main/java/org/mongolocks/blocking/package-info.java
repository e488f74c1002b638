/** A blocking view of the clients of both drivers. */
package org.mongolocks.blocking;
