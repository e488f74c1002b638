/** What the threads of the clients do with their locks. */
package org.mongolocks.study.sim.workload;
