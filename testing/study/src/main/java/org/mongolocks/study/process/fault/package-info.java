/** Faults of runs with real processes: stopped processes, broken networks, skewed clocks. */
package org.mongolocks.study.process.fault;
