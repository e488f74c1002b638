package org.mongolocks.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.sync.LockClient;

/** Runs the example of the README, and checks that the README shows it. */
class ReadmeTest {
    private final RegistryScene scene = new RegistryScene();
    private final List<Long> printed = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    void examplePrintsUnderTheLock() throws Exception {
        LockClient locks = scene.client();
        // begin
        MongoLockRegistry registry = new MongoLockRegistry(locks);
        registry.executeLocked(
                "invoice-42",
                () -> print(registry.heldLock("invoice-42").orElseThrow().fencingToken()));
        // end

        assertThat(printed).hasSize(1);
        assertThat(scene.stored("invoice-42").orElseThrow().fencingToken()).isEqualTo(printed.get(0));
    }

    @Test
    void readmeShowsTheExample() throws IOException {
        String source = Files.readString(
                Path.of("src", "test", "java", "org", "mongolocks", "spring", "integration", "ReadmeTest.java"));
        String example = source.substring(source.indexOf("// begin\n") + 9, source.indexOf("        // end\n"));

        assertThat(withoutSpaces(Files.readString(Path.of("README.md")))).contains(withoutSpaces(example));
    }

    private void print(long token) {
        printed.add(token);
    }

    /** Line breaks differ between the formatted code and the document. */
    private static String withoutSpaces(String text) {
        return text.replaceAll("\\s", "");
    }
}
