/** The rules of waiting: for one lock, in a queue, and for several locks. */
package org.mongolocks.contract.rules.wait;
