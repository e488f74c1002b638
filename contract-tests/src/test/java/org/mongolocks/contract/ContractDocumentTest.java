package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ContractDocumentTest {
    private static final Pattern ROW = Pattern.compile("^\\| ([A-Z]{2}-\\d+) \\| `(\\w+)` \\|", Pattern.MULTILINE);
    private static final Pattern WHY = Pattern.compile("/\\*\\* ([A-Z]{2}-\\d+)\\. (.*?)(?= @param| @throws)");
    private static final Path SOURCES = Path.of("src", "main", "java", "org", "mongolocks", "contract");

    @Test
    void everyRuleIsDocumentedAndEveryDocumentedRuleIsTested() throws IOException {
        String document = Files.readString(Path.of("..", "docs", "contract.md"));

        Stream<String> documented = ROW.matcher(document).results().map(ContractDocumentTest::row);

        assertThat(documented).containsExactlyInAnyOrderElementsOf(rules().toList());
    }

    @Test
    void theDocumentSaysWhyInTheWordsOfTheRules() throws IOException {
        String document = Files.readString(Path.of("..", "docs", "contract.md"));

        List<String> reasons = reasons();

        assertThat(reasons).hasSameSizeAs(rules().toList());
        assertThat(reasons).allSatisfy(reason -> assertThat(document).contains(reason));
    }

    /** The reason of each rule is the beginning of its Javadoc. */
    private static List<String> reasons() throws IOException {
        try (Stream<Path> sources = Files.list(SOURCES)) {
            return sources.filter(source -> source.toString().endsWith("Rules.java"))
                    .map(ContractDocumentTest::onOneLine)
                    .flatMap(source -> WHY.matcher(source).results())
                    .map(match -> "| " + match.group(2) + " |")
                    .toList();
        }
    }

    private static String onOneLine(Path source) {
        try {
            return Files.readString(source).replaceAll("\\s+(\\* )?", " ").replace(" * ", " ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> rules() {
        return Arrays.stream(LockContract.class.getMethods())
                .filter(method -> method.isAnnotationPresent(ContractRule.class))
                .map(ContractDocumentTest::row);
    }

    private static String row(Method method) {
        return method.getAnnotation(ContractRule.class).value() + " " + method.getName();
    }

    private static String row(MatchResult match) {
        return match.group(1) + " " + match.group(2);
    }
}
