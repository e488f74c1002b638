package org.mongolocks.embedded.internal.wire;

import de.bwaldvogel.mongo.wire.MongoWireProtocolHandler;
import de.bwaldvogel.mongo.wire.OpCode;
import de.bwaldvogel.mongo.wire.message.ClientRequest;
import de.bwaldvogel.mongo.wire.message.MessageHeader;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The library's decoder, with what it lacks: messages that want no reply, and an answer to messages that it cannot read. Only what is not a
 * message of MongoDB at all ends the connection.
 */
final class FrameDecoder extends MongoWireProtocolHandler {
    private static final int HEADER_LENGTH = 16;
    private static final int OPCODE_OFFSET = 12;
    private static final int FLAGS_OFFSET = 16;
    private static final int MORE_TO_COME = 1 << 1;
    private static final int EXHAUST_ALLOWED = 1 << 16;

    @Override
    protected @Nullable ClientRequest decode(ChannelHandlerContext context, ByteBuf buffer) throws Exception {
        int start = buffer.readerIndex();
        if (buffer.readableBytes() < HEADER_LENGTH) {
            return null;
        }
        int length = buffer.getIntLE(start);
        if (length < HEADER_LENGTH || length > MAX_MESSAGE_SIZE_BYTES) {
            throw new IOException("not a message: its length is " + length);
        }
        if (buffer.readableBytes() < length) {
            return null;
        }
        checkOpcode(buffer.getIntLE(start + OPCODE_OFFSET));
        boolean isUnanswered = clearFlags(buffer, start, length);
        return decodeWhole(context, buffer, start, length, isUnanswered);
    }

    private static void checkOpcode(int opcode) throws IOException {
        if (opcode != OpCode.OP_MSG.getId() && opcode != OpCode.OP_QUERY.getId()) {
            throw new IOException("not a message: its operation is " + opcode);
        }
    }

    // The library knows neither flag. That the sender allows more than one reply asks for nothing.
    private static boolean clearFlags(ByteBuf buffer, int start, int length) {
        boolean isMessage = buffer.getIntLE(start + OPCODE_OFFSET) == OpCode.OP_MSG.getId();
        if (!isMessage || length < FLAGS_OFFSET + Integer.BYTES) {
            return false;
        }
        int flags = buffer.getIntLE(start + FLAGS_OFFSET);
        buffer.setIntLE(start + FLAGS_OFFSET, flags & ~(MORE_TO_COME | EXHAUST_ALLOWED));
        return (flags & MORE_TO_COME) != 0;
    }

    private @Nullable ClientRequest decodeWhole(
            ChannelHandlerContext context, ByteBuf buffer, int start, int length, boolean isUnanswered)
            throws Exception {
        int requestId = buffer.getIntLE(start + Integer.BYTES);
        MessageHeader header = new MessageHeader(length, requestId, 0);
        try {
            ClientRequest request = super.decode(context, buffer.readSlice(length));
            return isUnanswered && request instanceof MongoMessage message
                    ? new UnansweredMessage(context.channel(), header, message.getDocument())
                    : request;
        } catch (RuntimeException | IOException | StackOverflowError unreadable) {
            return new UnreadableMessage(context.channel(), header, String.valueOf(unreadable.getMessage()));
        }
    }
}
