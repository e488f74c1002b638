package org.mongolocks.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a change of the API is a change of its listing, which a review sees. */
class ApiListingTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path LISTED = ROOT.resolve(ApiListing.PATH);

    @Test
    void listingsShowTheApi(@TempDir Path directory) throws IOException {
        ApiListing.write(ROOT, directory);

        assertThat(names(LISTED)).isNotEmpty().isEqualTo(names(directory));
        assertThat(names(LISTED))
                .as("a change of the API has a line in CHANGELOG.md; then run:"
                        + " java testing/tree-tests/src/test/java/org/mongolocks/tree/ApiListing.java")
                .allSatisfy(name -> assertThat(directory.resolve(name)).hasSameTextualContentAs(LISTED.resolve(name)));
    }

    @Test
    void apiNamesNoInternalType() throws IOException {
        for (String name : names(LISTED)) {
            assertThat(Files.readString(LISTED.resolve(name))).as(name).doesNotContain(".internal.");
        }
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
