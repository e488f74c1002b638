/**
 * Tests for the protocol of a {@link org.mongolocks.spi.LockStrategy} without a server.
 *
 * <p>Test classes extend {@link org.mongolocks.protocol.StrategyTest}: it answers every operation of every program with
 * every reply and every fault, and checks the {@linkplain org.mongolocks.protocol.ProtocolLaws laws} that hold for any
 * strategy. {@link org.mongolocks.protocol.ProtocolScript} runs one program against chosen replies and checks the
 * commands.
 */
package org.mongolocks.protocol;
