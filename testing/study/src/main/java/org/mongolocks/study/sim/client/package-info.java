/** Simulated clients: the library's engine on a simulated driver. */
package org.mongolocks.study.sim.client;
