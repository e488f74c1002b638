/** Messages between clients and servers, connection pools, and the record of sent messages. */
package org.mongolocks.study.sim.net;
