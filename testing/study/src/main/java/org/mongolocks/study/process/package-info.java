/**
 * Runs with real processes, of the rows of the matrix and of {@code ./soak}: a plan says which locks, how many clients and
 * which faults; one parent starts the clients, injects the faults, records what the clients report, and judges it.
 */
package org.mongolocks.study.process;
