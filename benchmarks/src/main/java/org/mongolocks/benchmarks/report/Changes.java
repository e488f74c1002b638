package org.mongolocks.benchmarks.report;

import static java.util.Comparator.comparingDouble;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.Document;
import org.mongolocks.benchmarks.console.Console;

/** A printed report of the differences from an earlier run, the largest first. */
public final class Changes {
    private static final String OTHER_PLACE =
            "The earlier run was on another server, machine or JVM: only ratios can be compared, and those with care.";

    private static final String NOISY =
            "Noisy: floors drifted in %s of one run or both; small changes of times that are marked mean nothing.%n";

    private Changes() {}

    /** Prints the differences that exceed the noise. */
    public static void print(Baseline baseline, String results, Console console) {
        Document run = Document.parse(results);
        List<Change> all = between(baseline.measurements(), run.getList("measurements", Document.class));
        List<Change> real = real(all);
        console.out().println("Since the run of " + baseline.results().getString("startedAt"));
        if (!baseline.isComparableWith(run)) {
            console.out().println(OTHER_PLACE);
        }
        Set<String> noisy = noisy(List.of(baseline.results(), run));
        console.out().print(noisy.isEmpty() ? "" : NOISY.formatted(String.join(", ", noisy)));
        console.out().print(real.isEmpty() ? "" : table(real, noisy).toString());
        console.out()
                .println((all.size() - real.size()) + " of " + all.size() + " figures changed by no more than noise.");
        console.out().println();
    }

    private static List<Change> real(List<Change> all) {
        return all.stream()
                .filter(Change::exceedsNoise)
                .sorted(comparingDouble(change -> -Math.abs(change.growth())))
                .toList();
    }

    /** Pairs the measurements that both runs have. */
    static List<Change> between(List<Document> before, List<Document> now) {
        Map<List<Object>, Document> earlier = new HashMap<>();
        before.forEach(measurement -> earlier.put(Change.key(measurement), measurement));
        return now.stream()
                .flatMap(measurement -> Stream.ofNullable(earlier.get(Change.key(measurement)))
                        .map(match -> Change.of(match, measurement)))
                .toList();
    }

    /** Returns the benchmarks in which a baseline drifted too far in one of the runs. */
    private static Set<String> noisy(List<Document> runs) {
        return runs.stream()
                .flatMap(run -> run.getList("noise", Document.class, List.of()).stream())
                .map(drift -> drift.getString("benchmark"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static TextTable table(List<Change> changes, Set<String> noisy) {
        TextTable table = new TextTable("what", "before", "now", "change", "unit", "noise");
        changes.forEach(change -> table.row(
                change.what(),
                Figures.decimal(2, Change.value(change.before())),
                Figures.decimal(2, Change.value(change.now())),
                (change.growth() > 0 ? "+" : "") + Figures.percent(change.growth()),
                change.unit(),
                change.isIn(noisy) ? "noisy" : ""));
        return table;
    }
}
