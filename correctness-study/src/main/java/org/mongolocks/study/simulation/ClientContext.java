package org.mongolocks.study.simulation;

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
