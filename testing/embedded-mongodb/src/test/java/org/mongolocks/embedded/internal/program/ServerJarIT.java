package org.mongolocks.embedded.internal.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** The program as it is shipped, in a process of its own. */
class ServerJarIT {
    private static final String READY = "ready: ";

    @Test
    void servesADriverAndStopsWhenTerminated() throws Exception {
        Process server = start("--port", "0", "--ttl-monitor-seconds", "1");
        try (BufferedReader out = server.inputReader(StandardCharsets.UTF_8)) {
            String ready = out.readLine();
            assertThat(ready).startsWith(READY);
            try (MongoClient client = MongoClients.create(ready.substring(READY.length()))) {
                assertThat(writeInTransaction(client)).isEqualTo(1);
            }

            // Unlike the process itself, its handle leaves the streams open.
            assertThat(server.toHandle().destroy()).isTrue();

            assertThat(server.waitFor()).isIn(0, 143);
            assertThat(out.readLine()).isNull();
            assertThat(errors(server)).isEmpty();
        } finally {
            server.destroyForcibly();
        }
    }

    private static long writeInTransaction(MongoClient client) {
        MongoCollection<Document> locks = client.getDatabase("test").getCollection("locks");
        try (ClientSession session = client.startSession()) {
            session.withTransaction(() -> locks.insertOne(session, new Document("_id", 1)));
        }
        return locks.countDocuments();
    }

    @Test
    void endsWithAnErrorOverABadArgument() throws Exception {
        Process server = start("--port", "65536");

        assertThat(server.waitFor()).isEqualTo(2);
        assertThat(errors(server).lines()).hasSize(1);
    }

    @Test
    void endsWithAnErrorOverAPortInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Process server = start("--port", String.valueOf(taken.getLocalPort()));

            assertThat(server.waitFor()).isEqualTo(2);
            assertThat(errors(server).lines()).hasSize(1);
        }
    }

    private static Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-jar", System.getProperty("server.jar")));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).start();
    }

    private static String errors(Process process) throws IOException {
        try (InputStream errors = process.getErrorStream();
                InputStreamReader reader = new InputStreamReader(errors, StandardCharsets.UTF_8)) {
            StringBuilder text = new StringBuilder();
            for (int c = reader.read(); c >= 0; c = reader.read()) {
                text.append((char) c);
            }
            return text.toString();
        }
    }
}
