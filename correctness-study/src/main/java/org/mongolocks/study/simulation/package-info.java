/** Runs clients, a network and a server in virtual time, from one seed. */
package org.mongolocks.study.simulation;
