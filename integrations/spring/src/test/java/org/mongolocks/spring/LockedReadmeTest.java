package org.mongolocks.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.sync.HeldLock;

/** Runs the example of the README, and checks that the README shows it. */
class LockedReadmeTest {
    private LockingScene scene;

    @BeforeEach
    void open() throws InterruptedException {
        scene = new LockingScene();
    }

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    /** The bean of the example. */
    static class Billing {
        final List<String> billed = new ArrayList<>();

        // begin
        @Locked(name = "invoice-#{#id}", ttl = "30s", waitAtMost = "5s")
        public void bill(long id) {
            book(id, CurrentLock.get().fencingToken());
        }
        // end

        private void book(long id, long token) {
            billed.add(id + " with token " + token);
        }

        public List<String> billed() {
            return billed;
        }
    }

    @Test
    void exampleLocksTheInvoice() throws Exception {
        try (HeldLock other = scene.holdElsewhere("invoice-43")) {
            Billing billing = scene.bean(Billing.class);

            billing.bill(42);

            assertThat(billing.billed()).containsExactly("42 with token 1");
            assertThat(scene.isHeld("invoice-42")).isFalse();
            assertThat(other.isHeld()).isTrue();
        }
    }

    @Test
    void readmeShowsTheExample() throws IOException {
        String source = Files.readString(
                Path.of("src", "test", "java", "org", "mongolocks", "spring", "LockedReadmeTest.java"));
        String example = source.substring(source.indexOf("// begin\n") + 9, source.indexOf("        // end\n"));

        assertThat(withoutSpaces(Files.readString(Path.of("README.md")))).contains(withoutSpaces(example));
    }

    /** Line breaks differ between the formatted code and the document. */
    private static String withoutSpaces(String text) {
        return text.replaceAll("\\s", "");
    }
}
