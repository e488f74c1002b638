/**
 * Tests the protocol of a {@link org.mongolocks.spi.LockStrategy} without a server.
 *
 * <p>{@link org.mongolocks.protocol.ProtocolLaws} is inherited: it answers every operation of every program with every
 * reply and every fault, and checks what must hold for any strategy. {@link org.mongolocks.protocol.Script} is for the
 * rest: it plays one program against chosen replies and checks the commands.
 */
package org.mongolocks.protocol;
