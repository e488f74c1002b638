package org.mongolocks.study.simulation;

/**
 * Has what an exchange of one client with the server needs.
 *
 * @param client which client
 * @param process its process
 * @param pool its connections
 * @param habits how its driver is set up
 * @param world the rest
 */
record Surroundings(int client, SimulatedProcess process, Pool pool, DriverHabits habits, World world) {}
