/** The rules of waiting: for one lock, in order, and for several locks. */
package org.mongolocks.contract.rules.wait;
