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
import org.mongolocks.benchmarks.report.chart.QuantityFormat;

/** A printed report of the differences from an earlier run, the largest first. */
public final class DifferenceReport {
    private static final String OTHER_PLACE =
            "The earlier run was on another server, machine or JVM: only ratios can be compared, and those with care.";

    private static final String NOISY =
            "Noisy: baselines drifted in %s of one run or both; small changes of times that are marked mean nothing.%n";

    private DifferenceReport() {}

    /** Prints the differences that exceed the noise. */
    public static void print(PreviousRun baseline, String results, Console console) {
        Document run = Document.parse(results);
        List<Difference> all = between(baseline.measurements(), run.getList("measurements", Document.class));
        List<Difference> real = real(all);
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

    private static List<Difference> real(List<Difference> all) {
        return all.stream()
                .filter(Difference::exceedsNoise)
                .sorted(comparingDouble(change -> -Math.abs(change.growth())))
                .toList();
    }

    /** Pairs the measurements that both runs have. */
    static List<Difference> between(List<Document> before, List<Document> now) {
        Map<List<Object>, Document> earlier = new HashMap<>();
        before.forEach(measurement -> earlier.put(Difference.key(measurement), measurement));
        return now.stream()
                .flatMap(measurement -> Stream.ofNullable(earlier.get(Difference.key(measurement)))
                        .map(match -> Difference.of(match, measurement)))
                .toList();
    }

    /** Returns the benchmarks in which a baseline drifted too far in one of the runs. */
    private static Set<String> noisy(List<Document> runs) {
        return runs.stream()
                .flatMap(run -> run.getList("noise", Document.class, List.of()).stream())
                .map(drift -> drift.getString("benchmark"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static TextTable table(List<Difference> changes, Set<String> noisy) {
        TextTable table = new TextTable("what", "before", "now", "change", "unit", "noise");
        changes.forEach(change -> table.row(
                change.what(),
                QuantityFormat.fixed(Difference.value(change.before()), 2),
                QuantityFormat.fixed(Difference.value(change.now()), 2),
                (change.growth() > 0 ? "+" : "") + QuantityFormat.fixed(100 * change.growth(), 0) + " %",
                change.unit(),
                change.isIn(noisy) ? "noisy" : ""));
        return table;
    }
}
