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
record Surroundings(int client, SimulatedProcess process, Pool pool, DriverHabits habits, World world) {}
