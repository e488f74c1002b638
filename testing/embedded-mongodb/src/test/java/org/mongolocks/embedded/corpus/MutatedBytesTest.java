package org.mongolocks.embedded.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.embedded.MovableClock;
import org.mongolocks.embedded.support.Bson;
import org.mongolocks.embedded.support.RawClient;
import org.mongolocks.embedded.support.TestEngine;

/** Messages that are broken: their sender gets an error or is disconnected, and no other client is affected. The seed is printed. */
class MutatedBytesTest {
    private static final int HEADER = 16;
    private static final int OP_MSG = 2013;
    private static final int OP_QUERY = 2004;
    /** A command that waits is waited for in real time, until the server's clock moves. */
    private static final int MILLIS_PER_DAY = 100;

    private static final int MAX_DAYS = 300;
    private static final BsonDocument PING = BsonDocument.parse("{ping: 1, $db: 'admin'}");

    private final long seed = Long.getLong("fuzz.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final List<BsonDocument> commands = Corpus.scenarios().stream()
            .flatMap(scenario -> scenario.steps().stream())
            .map(Step::command)
            .filter(Objects::nonNull)
            .filter(command -> !command.containsKey("configureFailPoint"))
            .toList();
    private final Mutator mutator = new Mutator(random, commands);

    @Test
    void brokenMessagesDoNotAffectOtherConnections() throws IOException {
        run(150);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void manyBrokenMessagesDoNotAffectOtherConnections() throws IOException {
        run(1_500);
    }

    private void run(int rounds) throws IOException {
        System.out.println("fuzz.seed=" + seed);
        MovableClock clock = MovableClock.startingAt(TestEngine.START);
        try (EmbeddedMongo server = EmbeddedMongo.builder().clock(clock).start();
                RawClient other = new RawClient(server.port())) {
            for (int round = 0; round < rounds; round++) {
                byte[] message = random.nextInt(20) == 0 ? noise() : mutator.mutated(message());
                send(server.port(), message, clock);
                clock.advance(Duration.ofMillis(100));
                assertThat(Objects.requireNonNull(other.run(PING), "closed")
                                .getNumber("ok")
                                .intValue())
                        .as("seed %d, round %d", seed, round)
                        .isEqualTo(1);
            }
        }
    }

    private void send(int port, byte[] message, MovableClock clock) throws IOException {
        try (RawClient client = new RawClient(port)) {
            client.sendBytes(message);
            client.send(PING);
            client.finish();
            for (byte[] reply = receive(client, clock); reply != null; reply = receive(client, clock)) {
                checkReply(reply);
            }
        }
    }

    /** A broken message may still be a command that waits, for events or for a majority, until the server's clock moves. */
    private static byte @Nullable [] receive(RawClient client, MovableClock clock) throws IOException {
        for (int days = 0; days < MAX_DAYS && !client.isAnsweredWithin(MILLIS_PER_DAY); days++) {
            clock.advance(Duration.ofDays(1));
        }
        return client.receiveBytes();
    }

    private void checkReply(byte[] reply) {
        int opcode = ByteBuffer.wrap(reply).order(ByteOrder.LITTLE_ENDIAN).getInt(12);
        if (opcode == OP_MSG) {
            BsonDocument document = Bson.parse(Arrays.copyOfRange(reply, HEADER + 5, reply.length));
            assertThat(document.getString("errmsg", new BsonString("")).getValue())
                    .as("seed %d", seed)
                    .doesNotStartWith("internal error");
        }
    }

    private byte[] noise() {
        byte[] noise = new byte[random.nextInt(200)];
        random.nextBytes(noise);
        return noise;
    }

    private byte[] message() {
        BsonDocument command = commands.get(random.nextInt(commands.size())).clone();
        command.remove("lsid");
        byte[] body = Bson.bytes(command.append("$db", new BsonString("corpus")));
        return random.nextInt(4) == 0 ? query(body) : message(body);
    }

    private static byte[] message(byte[] body) {
        byte[] message = new byte[HEADER + 5 + body.length];
        header(message, OP_MSG).putInt(0).put((byte) 0).put(body);
        return message;
    }

    private static byte[] query(byte[] body) {
        byte[] namespace = "admin.$cmd\u0000".getBytes(StandardCharsets.UTF_8);
        byte[] message = new byte[HEADER + 12 + namespace.length + body.length];
        header(message, OP_QUERY).putInt(0).put(namespace).putInt(0).putInt(-1).put(body);
        return message;
    }

    private static ByteBuffer header(byte[] message, int opcode) {
        ByteBuffer buffer = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        return buffer.putInt(message.length).putInt(7).putInt(0).putInt(opcode);
    }
}
