/** Messages between clients and servers, connection pools, and the record of what was sent. */
package org.mongolocks.study.sim.net;
