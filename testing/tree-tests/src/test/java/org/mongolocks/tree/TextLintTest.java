package org.mongolocks.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.rules.ContractContext.ContractRule;

/** Rules for the words and the layout of sources, documents and scripts. */
class TextLintTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Pattern TEXT = Pattern.compile("[^.]+|.*\\.(?:java|md|txt|xml|properties|html|js|mjs|vue|sh)");
    private static final Pattern NO_SOURCE = Pattern.compile("target|node_modules|\\.(?!ci$).*");
    private static final Pattern WORD_BOUNDARY_IN_NAME =
            Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_");
    private static final String CODE_BLOCK = "(?ms)^```.*?^```$";

    private final List<String[]> banned = table("testing/tree-tests/banned-words.txt", " -> ");
    private final List<String[]> exceptions = table("testing/tree-tests/word-exceptions.txt", " \\| ");
    private final Pattern bannedWord =
            Pattern.compile(banned.stream().map(row -> row[0]).collect(Collectors.joining("|", "\\b(?:", ")\\b")));

    /** What the Chinese README has in common with the English one. */
    private enum SharedPart {
        CODE(text -> found(CODE_BLOCK, text)),
        HEADING_LEVELS(text -> found("(?m)^#+(?= )", prose(text))),
        TABLE_COLUMNS(text -> found("(?m)^\\|.*\\|$", prose(text)).stream()
                .map(row -> row.replaceAll("[^|]", ""))
                .toList()),
        NAMES(text -> found("`[^`]+`", prose(text)).stream().distinct().sorted().toList()),
        LINKS(text -> found("(?<=]\\()[^)]+(?=\\))", prose(text)).stream()
                .map(link -> link.replace("README.zh-CN.md", "README.md"))
                .toList());

        private final Function<String, List<String>> in;

        SharedPart(Function<String, List<String>> in) {
            this.in = in;
        }
    }

    @ParameterizedTest
    @EnumSource
    void theChineseReadmeHasTheShapeOfTheEnglishOne(SharedPart part) {
        assertThat(part.in.apply(read("README.zh-CN.md")))
                .isNotEmpty()
                .containsExactlyElementsOf(part.in.apply(read("README.md")));
    }

    @Test
    void eachLinkOfTheReadmeLeadsToAFile() {
        assertThat(SharedPart.LINKS.in.apply(read("README.md")))
                .allSatisfy(link ->
                        assertThat(ROOT.resolve(link.replaceAll("#.*", ""))).exists());
    }

    @Test
    void everyRuleOfTheContractIsDocumentedAndEveryDocumentedRuleIsTested() {
        Stream<String> rules = Arrays.stream(LockContract.class.getMethods())
                .filter(method -> method.isAnnotationPresent(ContractRule.class))
                .map(method -> method.getAnnotation(ContractRule.class).value() + " `" + method.getName() + "`");

        assertThat(found("(?m)(?<=^- )[A-Z]{2}-\\d+ `\\w+`(?=:)", read("docs/contract.md")))
                .containsExactlyInAnyOrderElementsOf(rules.toList());
    }

    @Test
    void bannedWordsStandOnlyWhereAnExceptionIsNeeded() throws IOException {
        List<String[]> unneeded = new ArrayList<>(exceptions);
        Set<String> violations = new TreeSet<>();
        for (Path file : sources()) {
            String path = ROOT.relativize(file).toString().replace('\\', '/');
            // A file that is no text has no words, and does not fail the test.
            for (String word : bannedWords(new String(Files.readAllBytes(file), UTF_8))) {
                List<String[]> excuses = exceptions.stream()
                        .filter(row -> path.matches(row[0]) && word.matches(row[1]))
                        .toList();
                unneeded.removeAll(excuses);
                if (excuses.isEmpty()) {
                    violations.add(path + ": " + word + " -> " + suggestion(word));
                }
            }
        }

        assertThat(violations)
                .as("banned words; say what banned-words.txt suggests, or add a line to word-exceptions.txt")
                .isEmpty();
        assertThat(unneeded)
                .as("lines of word-exceptions.txt that excuse nothing")
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "The lock is given back.",
                "locks.giveBack();",
                "static final int MAX_PATIENCE = 3;",
                "void aReplyInDoubtIsSettled() {",
                "A Crew of threads"
            })
    void aBannedWordIsFoundInTextAndInNames(String line) {
        assertThat(bannedWords(line)).hasSize(1);
    }

    @Test
    void aBannedWordInALongerWordIsAllowed() {
        assertThat(bannedWords("allowed, followed, arrival, forwards and afterwards, the plane, undoubtedly"))
                .isEmpty();
    }

    private List<String> bannedWords(String text) {
        String words = WORD_BOUNDARY_IN_NAME.matcher(text).replaceAll(" ").toLowerCase(Locale.ROOT);
        return bannedWord.matcher(words).results().map(MatchResult::group).toList();
    }

    private String suggestion(String word) {
        return banned.stream()
                .filter(row -> word.matches(row[0]))
                .map(row -> row[1])
                .findFirst()
                .orElseThrow();
    }

    /** The tracked files, as far as a directory shows them: neither build output nor hidden directories. */
    private static List<Path> sources() throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(
                            file -> TEXT.matcher(file.getFileName().toString()).matches())
                    .filter(file -> !skips(ROOT.relativize(file)))
                    .filter(Files::isRegularFile)
                    .toList();
        }
    }

    private static boolean skips(Path path) {
        for (Path part : path) {
            if (NO_SOURCE.matcher(part.toString()).matches()) {
                return true;
            }
        }
        return false;
    }

    /** Reads the lines of a file that are neither empty nor comments, each split into its columns. */
    private static List<String[]> table(String file, String separator) {
        return read(file)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split(separator, 3))
                .toList();
    }

    private static List<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .toList();
    }

    private static String prose(String text) {
        return text.replaceAll(CODE_BLOCK, "");
    }

    private static String read(String file) {
        try {
            return Files.readString(ROOT.resolve(file));
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read " + file, e);
        }
    }
}
