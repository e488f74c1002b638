/**
 * Running programs: deadlines, time limits of commands, classification and retry of faults. Internal: not exported to
 * users, may change at any time.
 */
package org.mongolocks.internal.run;
