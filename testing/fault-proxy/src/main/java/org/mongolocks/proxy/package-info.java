/**
 * A proxy between a driver and a MongoDB that parses whole messages and injects faults into selected ones.
 *
 * <p>From the outside in: {@link org.mongolocks.proxy.FaultProxy} accepts connections, a {@code Link} forwards the
 * messages of one connection, a {@link org.mongolocks.proxy.FaultRule} intercepts commands, a
 * {@link org.mongolocks.proxy.WireFault} determines the effect on an {@link org.mongolocks.proxy.InterceptedCommand}.
 */
@org.jspecify.annotations.NullMarked
package org.mongolocks.proxy;
