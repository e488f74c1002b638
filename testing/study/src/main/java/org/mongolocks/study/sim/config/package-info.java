/** What a scenario sets: the environment of the clients, their workload, and the points at which faults hit holders. */
package org.mongolocks.study.sim.config;
