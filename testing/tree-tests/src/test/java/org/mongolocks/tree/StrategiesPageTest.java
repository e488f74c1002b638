package org.mongolocks.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.LockStrategy;

/**
 * Tests that docs/strategies/README.md has what each strategy declares, the commands of the table in README.md, and the
 * figures of the recorded run.
 */
class StrategiesPageTest {
    private static final Path ROOT = Path.of("..", "..");

    @Test
    @Tag("finds:strategies-page")
    void tableHasTraitsCommandsAndFiguresOfEveryStrategy() throws IOException {
        List<String> readme = Files.readAllLines(ROOT.resolve("README.md"));
        Document results = Document.parse(Files.readString(ROOT.resolve("docs/results-mongodb-5.0.json")));
        List<String> expected = ServiceLoader.load(LockStrategy.class).stream()
                .map(ServiceLoader.Provider::get)
                .map(strategy -> row(strategy, commands(readme, strategy.name()), figures(results, strategy.name())))
                .sorted()
                .toList();

        String page = Files.readString(ROOT.resolve("docs/strategies/README.md"));

        assertThat(page.lines().filter(line -> line.startsWith("| [`")).sorted())
                .isEqualTo(expected);
        assertThat(page)
                .contains(
                        results.getString("command"),
                        results.getString("startedAt").substring(0, 10),
                        "MongoDB " + results.getEmbedded(List.of("server", "version"), String.class));
    }

    private static String row(LockStrategy strategy, List<String> commands, List<String> figures) {
        String name = strategy.name();
        String traits = Arrays.stream(LockStrategy.Trait.values())
                .filter(strategy.traits()::contains)
                .map(trait -> trait.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .collect(Collectors.joining(", "));
        List<String> cells = new ArrayList<>(List.of("[`" + name + "`](" + name + ".md)"));
        cells.addAll(commands);
        cells.addAll(figures);
        cells.add(traits);
        return "| " + String.join(" | ", cells) + " |";
    }

    /** The cells of README.md for an attempt on a free lock and on a contended one; the clock-free mode has no row there. */
    private static List<String> commands(List<String> readme, String name) {
        List<String> columns = readme.stream()
                .filter(line -> line.startsWith("| strategy |"))
                .map(StrategiesPageTest::cells)
                .findFirst()
                .orElseThrow();
        return readme.stream()
                .filter(line -> line.startsWith("| [`" + name + "`]"))
                .map(StrategiesPageTest::cells)
                .map(row -> List.of(
                        row.get(columns.indexOf("round trips: free")),
                        row.get(columns.indexOf("round trips: contended"))))
                .findFirst()
                .orElse(List.of("–", "–"));
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
    }

    private static List<String> figures(Document results, String name) {
        return results.getList("measurements", Document.class).stream()
                .filter(each -> each.getString("benchmark").equals("B1")
                        && each.getString("metric").equals("latency")
                        && each.getString("client").equals("sync")
                        && each.getString("contender").equals(name))
                .map(each -> List.of(
                        format("%.2f ms", each.get("value", Number.class).doubleValue() / 1e6),
                        format("%.2f", each.getEmbedded(List.of("ratio", "value"), Number.class))))
                .findFirst()
                .orElse(List.of("–", "–"));
    }

    private static String format(String pattern, Number number) {
        return String.format(Locale.ROOT, pattern, number.doubleValue());
    }
}
