package org.mongolocks.embedded.internal.wire;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.MongoWireProtocolHandler;
import de.bwaldvogel.mongo.wire.OpCode;
import de.bwaldvogel.mongo.wire.message.ClientRequest;
import de.bwaldvogel.mongo.wire.message.MessageHeader;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonSize;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/**
 * The library's decoder, with what it lacks: messages that want no reply or allow several, and an answer to messages that it cannot read. Only what is not a
 * message of MongoDB at all ends the connection.
 */
final class FrameDecoder extends MongoWireProtocolHandler {
    private static final int HEADER_LENGTH = 16;
    private static final int OPCODE_OFFSET = 12;
    private static final int FLAGS_OFFSET = 16;
    private static final int UNKNOWN_TO_LIBRARY = FlaggedMessage.MORE_TO_COME | FlaggedMessage.EXHAUST_ALLOWED;

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
        int flags = takeFlags(buffer, start, length);
        return decodeWhole(context, buffer, length, flags);
    }

    private static void checkOpcode(int opcode) throws IOException {
        if (opcode != OpCode.OP_MSG.getId() && opcode != OpCode.OP_QUERY.getId()) {
            throw new IOException("not a message: its operation is " + opcode);
        }
    }

    // The library refuses messages with a flag that it does not know.
    private static int takeFlags(ByteBuf buffer, int start, int length) {
        boolean isMessage = buffer.getIntLE(start + OPCODE_OFFSET) == OpCode.OP_MSG.getId();
        if (!isMessage || length < FLAGS_OFFSET + Integer.BYTES) {
            return 0;
        }
        int flags = buffer.getIntLE(start + FLAGS_OFFSET);
        buffer.setIntLE(start + FLAGS_OFFSET, flags & ~UNKNOWN_TO_LIBRARY);
        return flags & UNKNOWN_TO_LIBRARY;
    }

    private @Nullable ClientRequest decodeWhole(ChannelHandlerContext context, ByteBuf buffer, int length, int flags)
            throws Exception {
        int start = buffer.readerIndex();
        int requestId = buffer.getIntLE(start + Integer.BYTES);
        int opcode = buffer.getIntLE(start + OPCODE_OFFSET);
        MessageHeader header = new MessageHeader(length, requestId, 0);
        try {
            ByteBuf whole = buffer.readSlice(length);
            if (opcode == OpCode.OP_MSG.getId()) {
                BsonGuard.check(whole);
            }
            if (length > BsonSize.MAX_DOCUMENT) {
                throw CommandError.unsupported("A message of more than " + BsonSize.MAX_DOCUMENT + " bytes");
            }
            ClientRequest request = super.decode(context, whole);
            return flags != 0 && request instanceof MongoMessage message
                    ? new FlaggedMessage(context.channel(), header, message.getDocument(), flags)
                    : request;
        } catch (CommandError refused) {
            return new UnreadableMessage(context.channel(), header, refused);
        } catch (RuntimeException | IOException | StackOverflowError unreadable) {
            CommandError invalid = new CommandError(ErrorCode.INVALID_BSON, "Invalid BSON: " + unreadable.getMessage());
            return new UnreadableMessage(context.channel(), header, invalid);
        }
    }

    /** A message with flags of its header that the library does not know. */
    static final class FlaggedMessage extends MongoMessage {
        /** On a request: no reply is wanted. On a reply: another one follows without a request. */
        static final int MORE_TO_COME = 1 << 1;

        /** On a request: the server may send more than one reply. */
        static final int EXHAUST_ALLOWED = 1 << 16;

        private final int flags;

        FlaggedMessage(Channel channel, MessageHeader header, Document document, int flags) {
            super(channel, header, document);
            this.flags = flags;
        }

        @Override
        public int getFlags() {
            return flags;
        }

        boolean has(int flag) {
            return (flags & flag) != 0;
        }
    }

    /** A message that came in whole but could not be read. */
    static final class UnreadableMessage extends MongoMessage {
        private final CommandError error;

        UnreadableMessage(Channel channel, MessageHeader header, CommandError error) {
            super(channel, header, new Document());
            this.error = error;
        }

        CommandError error() {
            return error;
        }
    }
}
