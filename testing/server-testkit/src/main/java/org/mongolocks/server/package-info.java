/** The server that the contract runs on, its clock, and the faults on the way to it. */
package org.mongolocks.server;
