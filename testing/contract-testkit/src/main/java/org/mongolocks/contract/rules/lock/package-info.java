/** The rules of a lock: mutual exclusion and fencing, by owner, by thread and in guarded transactions. */
package org.mongolocks.contract.rules.lock;
