package org.mongolocks.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class WireMessageTest {
    private static final BsonDocument PING = BsonDocument.parse("{ping: 1, $db: 'admin'}");

    @Test
    void messageHasItsIdsAndItsCommand() throws IOException {
        WireMessage message = WireMessage.of(7, 3, PING);

        assertThat(message.id()).isEqualTo(7);
        assertThat(message.answers()).isEqualTo(3);
        assertThat(message.command()).contains("ping");
        assertThat(message.body()).contains(PING);
        assertThat(message.isAnswered()).isTrue();
    }

    @Test
    void anAnswerNamesItsRequest() {
        WireMessage answer = WireMessage.answering(WireMessage.of(7, 0, PING), BsonDocument.parse("{ok: 1}"));

        assertThat(answer.answers()).isEqualTo(7);
    }

    @Test
    void severalMessagesInOneStreamAreReadOneByOneHoweverSmallThePieces() throws IOException {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.write(WireMessage.of(1, 0, PING).bytes());
        both.write(WireMessage.of(2, 0, PING).bytes());
        InputStream in = inPiecesOfOne(both.toByteArray());

        assertThat(WireMessage.read(in).map(WireMessage::id)).contains(1);
        assertThat(WireMessage.read(in).map(WireMessage::id)).contains(2);
        assertThat(WireMessage.read(in)).isEmpty();
    }

    @Test
    void theCommandIsFoundBehindTheDocumentsThatItIsAbout() throws IOException {
        byte[] message = WireMessage.of(1, 0, PING).bytes();
        byte[] body = Arrays.copyOfRange(message, 20, message.length);
        byte[] documents = sequence(BsonDocument.parse("{_id: 1}"));
        ByteBuffer reordered =
                ByteBuffer.allocate(message.length + documents.length).order(ByteOrder.LITTLE_ENDIAN);
        reordered.put(message, 0, 20).put(documents).put(body);
        reordered.putInt(0, reordered.capacity());

        WireMessage read =
                WireMessage.read(new ByteArrayInputStream(reordered.array())).orElseThrow();

        assertThat(read.command()).contains("ping");
    }

    @Test
    void messageWithoutAReplyIsRecognized() throws IOException {
        byte[] message = WireMessage.of(1, 0, PING).bytes();
        message[16] = 2;

        assertThat(WireMessage.read(new ByteArrayInputStream(message))
                        .orElseThrow()
                        .isAnswered())
                .isFalse();
    }

    @Test
    void messageOfAnotherTypeHasNoCommand() throws IOException {
        byte[] message = WireMessage.of(1, 0, PING).bytes();
        ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).putInt(12, 2004);

        assertThat(WireMessage.read(new ByteArrayInputStream(message))
                        .orElseThrow()
                        .command())
                .isEmpty();
    }

    @Test
    void aMessageThatBreaksOffIsNoMessage() {
        byte[] message = WireMessage.of(1, 0, PING).bytes();

        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> WireMessage.read(new ByteArrayInputStream(message, 0, message.length - 1)));
        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> WireMessage.read(new ByteArrayInputStream(message, 0, 10)));
    }

    @Test
    void aLengthThatNoMessageHasIsNotBelieved() {
        byte[] message = WireMessage.of(1, 0, PING).bytes();
        ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).putInt(0, Integer.MAX_VALUE);

        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> WireMessage.read(new ByteArrayInputStream(message)))
                .withMessageContaining("2147483647");
    }

    private static byte[] sequence(BsonDocument document) {
        byte[] whole = WireMessage.of(0, 0, document).bytes();
        byte[] encoded = Arrays.copyOfRange(whole, 21, whole.length);
        byte[] name = "documents\0".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        ByteBuffer section =
                ByteBuffer.allocate(1 + 4 + name.length + encoded.length).order(ByteOrder.LITTLE_ENDIAN);
        section.put((byte) 1).putInt(4 + name.length + encoded.length).put(name).put(encoded);
        return section.array();
    }

    private static InputStream inPiecesOfOne(byte[] bytes) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, 1));
            }
        };
    }
}
