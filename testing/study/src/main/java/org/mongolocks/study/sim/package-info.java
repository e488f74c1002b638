/** Simulated runs: clients, a network and a server in virtual time, determined by one seed. */
package org.mongolocks.study.sim;
