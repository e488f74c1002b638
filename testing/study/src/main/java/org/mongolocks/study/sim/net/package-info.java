/** Messages between clients and servers, and commands as documents and as text. */
package org.mongolocks.study.sim.net;
