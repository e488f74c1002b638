package org.mongolocks.example.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the code on the pages with the code that is compiled: each file is shown, whole or as far as it is marked. */
class PagesTest {
    private static final Pattern MARKED = Pattern.compile("// begin\\n(.*?)// end\\n", Pattern.DOTALL);
    private static final Pattern BLOCK = Pattern.compile("^```java\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    @ParameterizedTest
    @CsvSource({
        "shedlock-mongo.md, shedlock",
        "redisson.md, redisson",
        "spring-integration-jdbc.md, jdbc",
        "published-code.md, published"
    })
    void pageShowsWhatIsCompiled(String page, String directory) throws IOException {
        List<String> shown = BLOCK.matcher(Files.readString(Path.of("..", "..", "docs", "migrate", page)))
                .results()
                .map(block -> withoutSpaces(block.group(1)))
                .toList();

        assertThat(shown).isNotEmpty().containsExactlyInAnyOrderElementsOf(samples(directory));
    }

    private static List<String> samples(String directory) throws IOException {
        Path sources = Path.of("src", "main", "java", "org", "mongolocks", "example", "migrations", directory);
        try (Stream<Path> files = Files.list(sources)) {
            return files.filter(file -> !file.endsWith("package-info.java") && !file.endsWith("OldLock.java"))
                    .map(PagesTest::sample)
                    .toList();
        }
    }

    private static String sample(Path file) {
        try {
            String source = Files.readString(file);
            return withoutSpaces(MARKED.matcher(source)
                    .results()
                    .map((MatchResult marked) -> marked.group(1))
                    .findFirst()
                    .orElseGet(() -> source.substring(source.indexOf("import "))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Line breaks differ between the formatted code and the pages. */
    private static String withoutSpaces(String text) {
        return text.replaceAll("\\s", "");
    }
}
