package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the shape of the Chinese README with that of the English one: headings, code, tables, names and links. */
class ChineseReadmeTest {
    private static final Pattern CODE_BLOCK = Pattern.compile("^```.*?^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern HEADING = Pattern.compile("^#+(?= )", Pattern.MULTILINE);
    private static final Pattern TABLE = Pattern.compile("(?:^\\|.*\\|\\n)+", Pattern.MULTILINE);
    private static final Pattern INLINE_CODE = Pattern.compile("`[^`]+`");
    private static final Pattern LINK = Pattern.compile("]\\(([^)]+)\\)");

    private final String english = read("README.md");
    private final String chinese = read("README.zh-CN.md");

    ChineseReadmeTest() throws IOException {}

    @Test
    void bothHaveTheSameCodeBlocks() {
        assertThat(matches(CODE_BLOCK, chinese))
                .as("code blocks of README.zh-CN.md")
                .isNotEmpty()
                .containsExactlyElementsOf(matches(CODE_BLOCK, english));
    }

    @Test
    void bothHaveHeadingsOfTheSameLevels() {
        assertThat(matches(HEADING, withoutCode(chinese)))
                .as("heading levels of README.zh-CN.md")
                .isNotEmpty()
                .containsExactlyElementsOf(matches(HEADING, withoutCode(english)));
    }

    @Test
    void bothHaveTablesOfTheSameRowsAndColumns() {
        assertThat(tables(chinese))
                .as("columns of each row of each table of README.zh-CN.md")
                .isNotEmpty()
                .containsExactlyElementsOf(tables(english));
    }

    @Test
    void bothNameTheSameCodeInTheirText() {
        assertThat(inlineCode(chinese))
                .as("names in README.zh-CN.md")
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(inlineCode(english));
    }

    @Test
    void bothLinkToTheSamePagesAndToEachOther() {
        List<String> expected = links(english).stream()
                .map(link -> link.equals("README.zh-CN.md") ? "README.md" : link)
                .toList();

        assertThat(links(chinese)).as("links of README.zh-CN.md").isNotEmpty().containsExactlyElementsOf(expected);
    }

    @Test
    void eachLinkLeadsToAFile() {
        assertThat(links(english))
                .allSatisfy(link -> assertThat(Path.of("..", "..", link.replaceAll("#.*", "")))
                        .exists());
    }

    private static List<String> links(String text) {
        return LINK.matcher(withoutCode(text))
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private static Set<String> inlineCode(String text) {
        return new HashSet<>(matches(INLINE_CODE, withoutCode(text)));
    }

    /** The number of columns of each row, table by table. */
    private static List<List<Integer>> tables(String text) {
        List<List<Integer>> tables = new ArrayList<>();
        for (String table : matches(TABLE, withoutCode(text))) {
            tables.add(table.lines().map(row -> row.split("\\|").length - 1).toList());
        }
        return tables;
    }

    private static List<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group()).toList();
    }

    private static String withoutCode(String text) {
        return CODE_BLOCK.matcher(text).replaceAll("");
    }

    private static String read(String name) throws IOException {
        return Files.readString(Path.of("..", "..", name));
    }
}
