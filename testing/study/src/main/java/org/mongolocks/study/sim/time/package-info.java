/** Virtual time, the clocks of servers and clients, and seeded randomness. */
package org.mongolocks.study.sim.time;
