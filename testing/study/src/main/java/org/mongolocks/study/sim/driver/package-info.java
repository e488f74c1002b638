/** The driver of a simulated client: its process, connections, sessions, commands and errors. */
package org.mongolocks.study.sim.driver;
