/**
 * A proxy between a driver and a MongoDB that understands whole messages, and harms those it is told to.
 *
 * <p>Downward: {@link org.mongolocks.proxy.FaultProxy} accepts, a {@code Link} carries one connection, a
 * {@link org.mongolocks.proxy.Trap} catches commands, a {@link org.mongolocks.proxy.WireFault} says
 * what becomes of an {@link org.mongolocks.proxy.Exchange}.
 */
@org.jspecify.annotations.NullMarked
package org.mongolocks.proxy;
