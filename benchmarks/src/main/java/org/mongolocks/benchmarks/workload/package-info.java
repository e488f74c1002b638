/** The workloads of the benchmarks: contention, hand-off, crashes of holders, fixed rates, idle locks. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.workload;
