package org.mongolocks.site;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.Document;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;

/** What tells the strategies apart: the traits that each declares, and what a recorded run of {@code ./compare} measured. */
public final class StrategyTable {
    private final Document results;

    /**
     * A strategy.
     *
     * @param traits those that it has
     * @param measured its commands for an attempt on a free lock and on a held one, its time and its ratio to the
     *     baseline; empty if the run did not measure it
     */
    public record Row(String name, List<String> traits, List<String> measured) {}

    /** Takes the {@code results.json} of the run. */
    StrategyTable(String results) {
        this.results = Document.parse(results);
    }

    /** Returns the names of all traits. */
    public List<String> traits() {
        return Arrays.stream(Trait.values()).map(StrategyTable::words).toList();
    }

    private static String words(Trait trait) {
        return trait.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Returns the strategies by name. */
    public List<Row> rows() {
        Map<String, Document> measured = results.getList("strategies", Document.class).stream()
                .collect(Collectors.toMap(each -> each.getString("name"), Function.identity()));
        return ServiceLoader.load(LockStrategy.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(LockStrategy::name))
                .map(each -> new Row(
                        each.name(),
                        each.traits().stream().map(StrategyTable::words).toList(),
                        measured.containsKey(each.name()) ? figures(measured.get(each.name())) : List.of()))
                .toList();
    }

    private List<String> figures(Document strategy) {
        Document latency = results.getList("measurements", Document.class).stream()
                .filter(each -> each.getString("benchmark").equals("B1")
                        && each.getString("metric").equals("latency")
                        && each.getString("client").equals("sync")
                        && each.getString("contender").equals(strategy.getString("name")))
                .findFirst()
                .orElseThrow();
        return List.of(
                String.format(Locale.ROOT, "%.0f", number(strategy, "commands", "acquireFree")),
                String.format(Locale.ROOT, "%.0f", number(strategy, "commands", "acquireHeld")),
                String.format(Locale.ROOT, "%.2f ms", number(latency, "value") / 1e6),
                String.format(Locale.ROOT, "%.2f", number(latency, "ratio", "value")));
    }

    private static double number(Document strategy, String... path) {
        return strategy.getEmbedded(List.of(path), Number.class).doubleValue();
    }

    /** Returns on what the run was measured, and how. */
    public Map<String, String> run() {
        Document server = results.get("server", Document.class);
        Document machine = results.get("machine", Document.class);
        return Map.of(
                "server",
                        "MongoDB " + server.getString("version") + ", "
                                + server.getString("topology").replace('-', ' '),
                "members", String.valueOf(server.getInteger("members")),
                "machine", machine.getInteger("cpus") + " processors, " + machine.getString("os"),
                "date", results.getString("startedAt").substring(0, 10),
                "command", results.getString("command"));
    }
}
