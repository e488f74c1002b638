/** The simulated replica set and the data that a lock protects. */
package org.mongolocks.study.sim.server;
