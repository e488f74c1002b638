package org.mongolocks.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.ByteBufNIO;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.bson.io.ByteBufferBsonInput;

/**
 * A message of MongoDB's wire protocol. Only {@code OP_MSG} is parsed; others, of which a driver sends one in its
 * handshake, have no body and no command.
 */
final class WireMessage {
    private static final int HEADER = 16;
    /** The server's limit, with room for the header. */
    private static final int MAX_LENGTH = 48_000_000 + 16 * 1024;

    private static final int OP_MSG = 2013;
    private static final int MORE_TO_COME = 2;
    /** The first bytes in BSON of a document field and of a 64-bit integer field. */
    private static final byte[] VERSION = "\u0003topologyVersion\0".getBytes(US_ASCII);

    private static final byte[] COUNTER = "\u0012counter\0".getBytes(US_ASCII);
    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    private final byte[] bytes;

    private WireMessage(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Reads a whole message, however many pieces it comes in; empty at the end of the stream. */
    static Optional<WireMessage> read(InputStream in) throws IOException {
        byte[] header = in.readNBytes(HEADER);
        if (header.length == 0) {
            return Optional.empty();
        }
        int length = header.length < HEADER ? 0 : littleEndian(header).getInt(0);
        if (length < HEADER || length > MAX_LENGTH) {
            throw new EOFException("A message of " + length + " bytes, of whose header there are " + header.length);
        }
        byte[] all = new byte[length];
        System.arraycopy(header, 0, all, 0, HEADER);
        new DataInputStream(in).readFully(all, HEADER, length - HEADER);
        return Optional.of(new WireMessage(all));
    }

    /** Creates the reply to a request. */
    static WireMessage answering(WireMessage request, BsonDocument body) {
        return of(0, request.id(), body);
    }

    /** Creates a message with one section. */
    static WireMessage of(int id, int answers, BsonDocument body) {
        BasicOutputBuffer encoded = new BasicOutputBuffer();
        CODEC.encode(
                new BsonBinaryWriter(encoded), body, EncoderContext.builder().build());
        byte[] section = encoded.toByteArray();
        byte[] all = new byte[HEADER + 5 + section.length];
        littleEndian(all)
                .putInt(all.length)
                .putInt(id)
                .putInt(answers)
                .putInt(OP_MSG)
                .putInt(0)
                .put((byte) 0)
                .put(section);
        return new WireMessage(all);
    }

    /** Returns the same message with another body. */
    WireMessage with(BsonDocument body) {
        return of(id(), answers(), body);
    }

    byte[] bytes() {
        return bytes.clone();
    }

    int id() {
        return littleEndian(bytes).getInt(4);
    }

    /** Returns the number of the request that this message answers. */
    int answers() {
        return littleEndian(bytes).getInt(8);
    }

    /** Returns whether the client expects a reply: a write without a write concern gets none. */
    boolean isAnswered() {
        return !isOpMsg() || (littleEndian(bytes).getInt(HEADER) & MORE_TO_COME) == 0;
    }

    /** Returns the name of the command: the first key of the body. */
    Optional<String> command() {
        return body().filter(body -> !body.isEmpty()).map(BsonDocument::getFirstKey);
    }

    /** Returns the section that has the command or the reply, without the documents that may follow or precede it. */
    Optional<BsonDocument> body() {
        if (!isOpMsg()) {
            return Optional.empty();
        }
        ByteBuffer rest = littleEndian(bytes).position(HEADER + 4);
        while (rest.get() != 0) {
            rest.position(rest.position() + rest.getInt(rest.position()));
        }
        return Optional.of(decode(rest.slice()));
    }

    /**
     * Returns the server's {@code topologyVersion}, which is in all its replies to {@code hello} and in some errors.
     */
    Optional<BsonDocument> topologyVersion() {
        int counter = indexOfCounter();
        return counter < 0
                ? Optional.empty()
                : Optional.of(decode(littleEndian(bytes).position(indexOfVersion())));
    }

    /** Returns the same message with another counter in its {@code topologyVersion}, whatever its kind. */
    WireMessage withTopologyCounter(long counter) {
        byte[] changed = bytes();
        littleEndian(changed).putLong(indexOfCounter(), counter);
        return new WireMessage(changed);
    }

    /** The start of the document; negative if there is none. */
    private int indexOfVersion() {
        return endOf(VERSION, HEADER, bytes.length);
    }

    private int indexOfCounter() {
        int version = indexOfVersion();
        return version < 0
                ? version
                : endOf(COUNTER, version, version + littleEndian(bytes).getInt(version));
    }

    private int endOf(byte[] sought, int from, int to) {
        for (int start = from; start + sought.length <= Math.min(to, bytes.length); start++) {
            if (Arrays.equals(bytes, start, start + sought.length, sought, 0, sought.length)) {
                return start + sought.length;
            }
        }
        return -1;
    }

    private boolean isOpMsg() {
        return littleEndian(bytes).getInt(12) == OP_MSG;
    }

    private static BsonDocument decode(ByteBuffer document) {
        ByteBuffer copy = document.slice().order(ByteOrder.LITTLE_ENDIAN);
        try (BsonBinaryReader reader = new BsonBinaryReader(new ByteBufferBsonInput(new ByteBufNIO(copy)))) {
            return CODEC.decode(reader, DecoderContext.builder().build());
        }
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
