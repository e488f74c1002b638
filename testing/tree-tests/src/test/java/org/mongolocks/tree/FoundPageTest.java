package org.mongolocks.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Tests that the page of old defects is that of the tests; {@code .ci/found} tests that they find them. */
class FoundPageTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    @Test
    void eachTagAndEachPatchIsThatOfADefect() throws IOException {
        assertThat(new FoundPage(ROOT).errors()).isEmpty();
    }

    @Test
    void pageSaysWhatTheTestsFind() throws IOException {
        assertThat(Files.readString(ROOT.resolve(FoundPage.PATH)))
                .as("run: java testing/tree-tests/src/test/java/org/mongolocks/tree/FoundPage.java")
                .isEqualTo(new FoundPage(ROOT).text());
    }
}
