package org.mongolocks.study.sim.client;

import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.net.Pool;

/**
 * The context of a client's exchanges with the server.
 *
 * @param client the number of the client
 * @param process its process
 * @param pool its connection pool
 * @param habits its driver settings
 * @param world the run
 */
record ClientContext(int client, SimulatedProcess process, Pool pool, DriverConfig habits, SimulationRun world) {}
