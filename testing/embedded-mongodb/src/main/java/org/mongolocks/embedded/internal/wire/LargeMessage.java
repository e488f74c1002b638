package org.mongolocks.embedded.internal.wire;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.bson.BsonDecoder;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonSize;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/**
 * Decodes an OP_MSG that may be larger than a document. The library measures everything that it decodes as if it were to be stored; here
 * what is larger is taken apart, so that a command may hold a document of the greatest size. Whether a document may be stored is asked later.
 */
final class LargeMessage {
    private static final int FLAGS = 16;
    private static final int CHECKSUM_PRESENT = 1;
    // The size that a command and a statement may have beside the documents in them.
    private static final int MAX_STATEMENT = BsonSize.MAX_DOCUMENT + 16 * 1024;
    private static final byte OBJECT = 0x03;
    private static final byte ARRAY = 0x04;

    private final ByteBuf buffer;

    private LargeMessage(ByteBuf buffer) {
        this.buffer = buffer;
    }

    /**
     * Decodes the command.
     *
     * @param message all of a message that {@link BsonGuard} has checked
     */
    static Document command(ByteBuf message) {
        boolean hasChecksum = (message.getIntLE(message.readerIndex() + FLAGS) & CHECKSUM_PRESENT) != 0;
        int end = message.readerIndex() + message.readableBytes() - (hasChecksum ? Integer.BYTES : 0);
        message.skipBytes(FLAGS + Integer.BYTES);
        return new LargeMessage(message).sections(end);
    }

    private Document sections(int end) {
        Document command = null;
        Document sequences = new Document();
        while (buffer.readerIndex() < end) {
            if (buffer.readByte() == 0) {
                command = statement();
            } else {
                int sequenceEnd = buffer.readerIndex() + buffer.getIntLE(buffer.readerIndex());
                buffer.skipBytes(Integer.BYTES);
                String name = BsonDecoder.decodeCString(buffer);
                List<Document> documents = new ArrayList<>();
                while (buffer.readerIndex() < sequenceEnd) {
                    documents.add(statement());
                }
                sequences.put(name, documents);
            }
        }
        if (command == null) {
            throw new IllegalArgumentException("a message has no command");
        }
        command.putAll(sequences);
        return command;
    }

    private Document statement() {
        int size = buffer.getIntLE(buffer.readerIndex());
        if (size > MAX_STATEMENT) {
            throw new CommandError(
                    ErrorCode.BSON_OBJECT_TOO_LARGE,
                    "BSONObj size: " + size + " is invalid. Size must be between 0 and " + MAX_STATEMENT + "(16MB)");
        }
        return document();
    }

    private Document document() {
        int start = buffer.readerIndex();
        int end = start + buffer.getIntLE(start);
        buffer.skipBytes(Integer.BYTES);
        Document document = new Document();
        for (byte type = buffer.readByte(); type != 0; type = buffer.readByte()) {
            String name = BsonDecoder.decodeCString(buffer);
            if (document.containsKey(name)) {
                throw new IllegalArgumentException("a document has the field '" + name + "' twice");
            }
            document.put(name, value(type));
        }
        if (buffer.readerIndex() != end) {
            throw new IllegalArgumentException("a document does not end where it should");
        }
        return document;
    }

    private @Nullable Object value(byte type) {
        boolean isLarge =
                (type == OBJECT || type == ARRAY) && buffer.getIntLE(buffer.readerIndex()) > BsonSize.MAX_DOCUMENT;
        if (!isLarge) {
            return BsonDecoder.decodeValue(type, buffer);
        }
        Document document = document();
        return type == OBJECT ? document : new ArrayList<>(document.values());
    }
}
