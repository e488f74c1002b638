/** The workloads of the clients' threads. */
package org.mongolocks.study.sim.workload;
