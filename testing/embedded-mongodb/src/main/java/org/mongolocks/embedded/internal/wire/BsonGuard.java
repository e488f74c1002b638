package org.mongolocks.embedded.internal.wire;

import io.netty.buffer.ByteBuf;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/**
 * Looks over the documents of an OP_MSG before the library decodes them. The library believes each length that a message names, and gives
 * some kinds of values back as others.
 */
final class BsonGuard {
    private static final int SECTIONS_OFFSET = 20;
    private static final int FLAGS_OFFSET = 16;
    private static final int CHECKSUM_PRESENT = 1;
    private static final int CHECKSUM_LENGTH = 4;
    private static final int MIN_DOCUMENT = 5;
    private static final byte USER_DEFINED = (byte) 0x80;

    private final ByteBuf message;
    private final int limit;

    private BsonGuard(ByteBuf message, int limit) {
        this.message = message;
        this.limit = limit;
    }

    /**
     * Checks a message.
     *
     * @param message all of it, from its header on
     * @throws CommandError if it is broken, or has values that would not be kept as they are
     */
    static void check(ByteBuf message) {
        int start = message.readerIndex();
        if (message.readableBytes() < SECTIONS_OFFSET) {
            throw invalid("a message is too short");
        }
        boolean hasChecksum = (message.getIntLE(start + FLAGS_OFFSET) & CHECKSUM_PRESENT) != 0;
        int limit = start + message.readableBytes() - (hasChecksum ? CHECKSUM_LENGTH : 0);
        new BsonGuard(message, limit).sections(start + SECTIONS_OFFSET);
    }

    private void sections(int start) {
        int at = start;
        while (at < limit) {
            byte kind = message.getByte(at);
            at = switch (kind) {
                case 0 -> document(at + 1);
                case 1 -> sequence(at + 1);
                default -> throw invalid("unknown section kind " + kind);
            };
        }
    }

    private int sequence(int start) {
        int end = start + length(start, Integer.BYTES, limit - start);
        int at = name(start + Integer.BYTES);
        while (at < end) {
            at = document(at);
        }
        return at;
    }

    private int document(int start) {
        int end = start + length(start, MIN_DOCUMENT, limit - start) - 1;
        int at = start + Integer.BYTES;
        while (at < end) {
            int type = message.getByte(at);
            at = value(type, name(at + 1));
        }
        if (at != end || message.getByte(end) != 0) {
            throw invalid("a document does not end where it should");
        }
        return end + 1;
    }

    private int value(int type, int at) {
        return switch (type) {
            case 0x01, 0x09, 0x11, 0x12 -> at + Long.BYTES;
            case 0x02 -> at + Integer.BYTES + length(at, 1, limit - at - Integer.BYTES);
            case 0x03, 0x04 -> document(at);
            case 0x05 -> binary(at);
            case 0x07 -> at + 12;
            case 0x08 -> at + 1;
            case 0x0A, -1, 0x7F -> at;
            case 0x0B -> name(name(at));
            case 0x10 -> at + Integer.BYTES;
            case 0x13 -> at + 2 * Long.BYTES;
            case 0x06 -> throw unsupported("undefined");
            case 0x0C -> throw unsupported("dbPointer");
            case 0x0D -> throw unsupported("javascript");
            case 0x0E -> throw unsupported("symbol");
            case 0x0F -> throw unsupported("javascriptWithScope");
            default -> throw invalid("unknown BSON type " + type);
        };
    }

    private int binary(int at) {
        int length = length(at, 0, limit - at - Integer.BYTES - 1);
        byte subtype = message.getByte(at + Integer.BYTES);
        // The library knows no other, and would store this one as if it had none.
        boolean isKept = subtype == 0 || subtype == 4;
        if (!isKept) {
            throw unsupported("binData of subtype " + (subtype == USER_DEFINED ? "user-defined" : subtype));
        }
        return at + Integer.BYTES + 1 + length;
    }

    private int name(int start) {
        int end = start < limit ? message.indexOf(start, limit, (byte) 0) : -1;
        if (end < 0) {
            throw invalid("a name does not end");
        }
        return end + 1;
    }

    private int length(int at, int least, int most) {
        int length = at + Integer.BYTES <= limit ? message.getIntLE(at) : -1;
        if (length < least || length > most) {
            throw invalid("a length is wrong");
        }
        return length;
    }

    private static CommandError unsupported(String type) {
        return CommandError.unsupported("The BSON type " + type);
    }

    private static CommandError invalid(String message) {
        return new CommandError(ErrorCode.INVALID_BSON, "Invalid BSON: " + message);
    }
}
