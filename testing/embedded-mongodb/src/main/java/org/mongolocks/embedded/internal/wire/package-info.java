/**
 * The network: mongo-java-server's codecs before the engine.
 *
 * <p>Of the library, the decoder and the encoders of messages are used. Its {@code MongoServer} calls a backend on the event loops that
 * connections share, and would let one blocked command stop others; here a command that must wait gives its thread back, and the reply is
 * written when the engine has it.
 */
@NullMarked
package org.mongolocks.embedded.internal.wire;

import org.jspecify.annotations.NullMarked;
