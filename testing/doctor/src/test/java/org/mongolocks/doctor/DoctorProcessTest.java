package org.mongolocks.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.mongolocks.embedded.EmbeddedMongo;

/** Tests that run the program as a process, as its script does. */
class DoctorProcessTest {
    @Test
    void itExitsByItsVerdict() throws Exception {
        try (EmbeddedMongo server = EmbeddedMongo.builder().standalone().start()) {
            Process process = start("--uri", server.connectionString(), "--strategy", "transactional");

            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(printed).isOne();
            assertThat(printed).contains("transactional: not usable", "What to do");
        }
    }

    @Test
    void badArgumentsExitWithTwo() throws Exception {
        assertThat(start("--nonsense").waitFor()).isEqualTo(2);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS) // On that platform a terminated process runs no more code.
    void terminatedProcessDropsItsCollections() throws Exception {
        try (EmbeddedMongo server = EmbeddedMongo.start();
                MongoClient client = MongoClients.create(server.connectionString())) {
            Process process = start("--uri", server.connectionString(), "--database", "stopped");
            while (collections(client).isEmpty()) {
                assertThat(process.isAlive()).isTrue();
                Thread.onSpinWait();
            }

            process.destroy();

            assertThat(process.waitFor()).isNotZero();
            assertThat(collections(client)).isEmpty();
        }
    }

    private static List<String> collections(MongoClient client) {
        return client.getDatabase("stopped").listCollectionNames().into(new ArrayList<>());
    }

    private static Process start(String... arguments) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = Stream.concat(
                        Stream.of(
                                java.toString(), "-cp", System.getProperty("java.class.path"), Doctor.class.getName()),
                        Stream.of(arguments))
                .toList();
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
