/** Other lock libraries behind one interface, which a library of your own can implement. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.peers;
