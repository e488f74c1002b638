package org.mongolocks.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests of the documentation as it is read on GitHub: the titles and links of all pages, and the menu that the site has of
 * them. {@code ./site --check} tests the site.
 */
class PagesTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Pattern NO_PAGES = Pattern.compile("target|src|node_modules|\\..*");
    private static final Pattern NO_PROSE = Pattern.compile("(?ms)^ *```.*?^ *```$|<!--.*?-->");
    private static final Pattern CODE = Pattern.compile("`[^`\\n]+`");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^(#+) (.*)$");

    @TempDir
    private Path small;

    @Test
    void everyPageHasOneTitleAndNoBrokenLink() throws IOException {
        assertThat(problems(ROOT)).isEmpty();
        assertThat(pages(ROOT))
                .containsKeys(
                        "README.md",
                        "README.zh-CN.md",
                        "CONTRIBUTING.md",
                        "docs/adr/001-strategies-are-programs.md",
                        "integrations/kotlin/README.md");
    }

    @Test
    void menuHasEveryPageOnce() throws IOException {
        List<String> menu = Files.readAllLines(ROOT.resolve("docs/menu.txt")).stream()
                .filter(line -> line.startsWith(" "))
                .map(String::strip)
                .toList();

        assertThat(menu).containsExactlyInAnyOrderElementsOf(pages(ROOT).keySet());
    }

    @ParameterizedTest
    @CsvSource({
        "[a](missing.md), docs/page.md: there is no missing.md",
        "[a](b.svg), docs/page.md: there is no b.svg",
        "[a](../README.md#third), docs/page.md: README.md has no heading #third",
        "[a](#third), docs/page.md: docs/page.md has no heading #third",
        "[a](../../README.md), docs/page.md: ../../README.md is outside of the project",
        "'# Two', docs/page.md: has 2 titles"
    })
    void brokenPageIsFound(String text, String problem) throws IOException {
        Files.createDirectory(small.resolve("docs"));
        Files.writeString(small.resolve("README.md"), "# Title\n\n## Second `part`, 2nd\n\n## Second `part`, 2nd\n");
        Files.writeString(
                small.resolve("docs/page.md"),
                "# A page\n\n[a](../README.md#second-part-2nd) [b](../README.md#second-part-2nd-1) `[c](no.md)`\n\n"
                        + text + "\n");

        assertThat(problems(small)).containsExactly(problem);
    }

    private static List<String> problems(Path root) throws IOException {
        Map<String, String> pages = pages(root);
        Map<String, Set<String>> anchors = new HashMap<>();
        pages.forEach((page, text) -> anchors.put(page, anchors(text)));
        List<String> problems = new ArrayList<>();
        pages.forEach((page, text) -> {
            long titles = HEADING.matcher(text)
                    .results()
                    .filter(heading -> heading.group(1).length() == 1)
                    .count();
            if (titles != 1) {
                problems.add(page + ": has " + titles + " titles");
            }
            LINK.matcher(CODE.matcher(text).replaceAll(""))
                    .results()
                    .map(link -> problem(root, page, link.group(1), anchors))
                    .filter(problem -> !problem.isEmpty())
                    .forEach(problem -> problems.add(page + ": " + problem));
        });
        return problems;
    }

    /** Returns what is wrong with a link, or an empty text. */
    private static String problem(Path root, String page, String link, Map<String, Set<String>> anchors) {
        if (link.matches("[a-z]+:.*")) {
            return "";
        }
        String[] parts = link.split("#", 2);
        Path from = root.resolve(page);
        Path target = parts[0].isEmpty() ? from : from.resolveSibling(parts[0]).normalize();
        if (!target.startsWith(root)) {
            return parts[0] + " is outside of the project";
        }
        if (!Files.exists(target)) {
            return "there is no " + parts[0];
        }
        String path = root.relativize(target).toString().replace('\\', '/');
        return parts.length == 1 || anchors.getOrDefault(path, Set.of()).contains(parts[1])
                ? ""
                : path + " has no heading #" + parts[1];
    }

    /** The anchors that GitHub gives the headings. */
    private static Set<String> anchors(String text) {
        Set<String> anchors = new HashSet<>();
        HEADING.matcher(text).results().forEach(heading -> {
            String anchor = heading.group(2)
                    .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                    .strip()
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}\\p{M}\\s_-]", "")
                    .replaceAll("\\s", "-");
            int repeated = 1;
            String unique = anchor;
            while (!anchors.add(unique)) {
                unique = anchor + "-" + repeated++;
            }
        });
        return anchors;
    }

    /** Returns the text of each page without blocks of code and comments, by its path. */
    private static Map<String, String> pages(Path root) throws IOException {
        Map<String, String> pages = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".md")).toList()) {
                Path path = root.relativize(file);
                if (Stream.iterate(path, part -> part != null, Path::getParent)
                        .noneMatch(part ->
                                NO_PAGES.matcher(part.getFileName().toString()).matches())) {
                    pages.put(
                            path.toString().replace('\\', '/'),
                            NO_PROSE.matcher(Files.readString(file)).replaceAll(""));
                }
            }
        }
        return pages;
    }
}
