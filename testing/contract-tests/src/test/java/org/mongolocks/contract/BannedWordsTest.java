package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Keeps the vocabulary plain: no source, document or script uses a word of {@code build/banned-words.txt} but where
 * {@code build/word-exceptions.txt} allows it.
 */
class BannedWordsTest {
    private static final Path ROOT = root();
    private static final Path EXCEPTIONS = ROOT.resolve("build/word-exceptions.txt");
    private static final Set<String> TYPES = Set.of("java", "md", "txt", "xml", "properties", "html", "js", "sh", "");
    private static final Pattern WORD_BOUNDARY_IN_NAME =
            Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_");

    private static final List<Use> USES = new ArrayList<>();
    private static List<BannedWord> banned = List.of();
    private static Pattern anyBanned = Pattern.compile("");
    private static List<Exemption> exemptions = List.of();

    /** Reads the tree once, for all tests. */
    @BeforeAll
    static void readTree() throws IOException {
        banned = bannedWords();
        anyBanned = word(banned.stream().map(word -> word.pattern().pattern()).collect(Collectors.joining("|")));
        exemptions = exemptions();
        for (Path file : files()) {
            // A file that is no text has no words, and does not fail the test.
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            USES.addAll(uses(ROOT.relativize(file), text.lines().toList()));
        }
    }

    @Test
    void noFileUsesABannedWord() {
        assertThat(USES)
                .filteredOn(use -> exemptions.stream().noneMatch(exemption -> exemption.covers(use)))
                .as(
                        "banned words; say what %s suggests, or add a line with its reason to %s",
                        "banned-words.txt", EXCEPTIONS)
                .isEmpty();
    }

    @Test
    void everyExceptionIsNeeded() {
        assertThat(exemptions)
                .filteredOn(exemption -> USES.stream().noneMatch(exemption::covers))
                .as("lines of %s that excuse nothing", EXCEPTIONS)
                .isEmpty();
    }

    @Test
    void aBannedWordIsFoundInTextAndInNames() {
        List<String> lines = List.of(
                "The lock is given back.",
                "locks.giveBack();",
                "static final int MAX_PATIENCE = 3;",
                "void aReplyInDoubtIsSettled() {",
                "A Crew of threads");

        assertThat(lines)
                .allSatisfy(line ->
                        assertThat(uses(Path.of("A.java"), List.of(line))).hasSize(1));
    }

    @Test
    void bannedWordInALongerWordIsAllowed() {
        List<String> lines =
                List.of("allowed, followed", "arrival", "forwards and afterwards", "the plane", "undoubtedly");

        assertThat(uses(Path.of("A.java"), lines)).isEmpty();
    }

    private static List<Use> uses(Path file, List<String> lines) {
        List<Use> uses = new ArrayList<>();
        for (int line = 0; line < lines.size(); line++) {
            String words = WORD_BOUNDARY_IN_NAME
                    .matcher(lines.get(line))
                    .replaceAll(" ")
                    .toLowerCase(Locale.ROOT);
            if (!anyBanned.matcher(words).find()) {
                continue;
            }
            for (BannedWord word : banned) {
                var match = word.pattern().matcher(words);
                if (match.find()) {
                    uses.add(new Use(file.toString().replace('\\', '/'), line + 1, match.group(), word.instead()));
                }
            }
        }
        return uses;
    }

    /** The tracked files, as far as a directory shows them: neither build output nor hidden directories. */
    private static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(BannedWordsTest::isSource)
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        }
    }

    private static boolean isSource(Path file) {
        Path inside = ROOT.relativize(file);
        for (Path part : inside) {
            String name = part.toString();
            if (name.equals("target") || (name.startsWith(".") && !name.equals(".ci"))) {
                return false;
            }
        }
        String name = inside.getFileName().toString();
        return TYPES.contains(name.contains(".") ? name.substring(name.lastIndexOf('.') + 1) : "");
    }

    private static List<BannedWord> bannedWords() throws IOException {
        return lines(ROOT.resolve("build/banned-words.txt"))
                .map(line -> line.split(" -> ", 2))
                .map(parts -> new BannedWord(word(parts[0]), parts[1]))
                .toList();
    }

    private static Pattern word(String expression) {
        return Pattern.compile("\\b(?:" + expression + ")\\b");
    }

    private static List<Exemption> exemptions() throws IOException {
        return lines(EXCEPTIONS)
                .map(line -> line.split(" \\| ", 3))
                .map(parts -> new Exemption(Pattern.compile(parts[0]), Pattern.compile(parts[1]), parts[2]))
                .toList();
    }

    private static Stream<String> lines(Path file) throws IOException {
        return Files.readAllLines(file).stream().filter(line -> !line.isBlank() && !line.startsWith("#"));
    }

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        return Stream.iterate(here, Objects::nonNull, Path::getParent)
                .filter(directory -> Files.exists(directory.resolve("mvnw")))
                .findFirst()
                .orElseThrow();
    }

    private record BannedWord(Pattern pattern, String instead) {}

    private record Exemption(Pattern path, Pattern word, String reason) {
        boolean covers(Use use) {
            return path.matcher(use.file()).matches()
                    && word.matcher(use.word()).matches();
        }
    }

    private record Use(String file, int line, String word, String instead) {}
}
