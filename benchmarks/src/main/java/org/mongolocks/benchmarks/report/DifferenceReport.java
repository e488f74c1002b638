package org.mongolocks.benchmarks.report;

import static java.util.Comparator.comparingDouble;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.Measurement;

/** A printed report of the differences from an earlier run, the largest first. */
public final class DifferenceReport {
    private static final String OTHER_PLACE =
            "The earlier run was on another server, machine or JVM: only ratios can be compared, and those with care.";

    private static final String NOISY =
            "Noisy: baselines drifted in %s of one run or both; small changes of times that are marked mean nothing.%n";

    private DifferenceReport() {}

    /** Prints the differences that exceed the noise. */
    public static void print(PreviousRun before, String results, Console console) {
        PreviousRun now = PreviousRun.parse(results);
        List<Difference> all = between(before.measurements(), now.measurements());
        List<Difference> real = all.stream()
                .filter(Difference::exceedsNoise)
                .sorted(comparingDouble(change -> -Math.abs(change.growth())))
                .toList();
        console.out().println("Since the run of " + before.startedAt());
        if (!before.environment().equals(now.environment())) {
            console.out().println(OTHER_PLACE);
        }
        Set<String> noisy = new TreeSet<>(before.noisy());
        noisy.addAll(now.noisy());
        console.out().print(noisy.isEmpty() ? "" : NOISY.formatted(String.join(", ", noisy)));
        console.out().print(real.isEmpty() ? "" : table(real, noisy).toString());
        console.out()
                .println((all.size() - real.size()) + " of " + all.size() + " figures changed by no more than noise.");
        console.out().println();
    }

    /** Pairs the measurements that both runs have. */
    static List<Difference> between(List<Measurement> before, List<Measurement> now) {
        Map<List<Object>, Measurement> earlier = new HashMap<>();
        before.forEach(measurement -> earlier.put(Difference.key(measurement), measurement));
        return now.stream()
                .flatMap(measurement -> Stream.ofNullable(earlier.get(Difference.key(measurement)))
                        .map(match -> Difference.of(match, measurement)))
                .toList();
    }

    private static TextTable table(List<Difference> changes, Set<String> noisy) {
        TextTable table = new TextTable("what", "before", "now", "change", "unit", "noise");
        changes.forEach(change -> table.row(
                change.what(),
                QuantityFormat.fixed(change.before().value(), 2),
                QuantityFormat.fixed(change.now().value(), 2),
                (change.growth() > 0 ? "+" : "") + QuantityFormat.fixed(100 * change.growth(), 0) + " %",
                change.unit(),
                change.isIn(noisy) ? "noisy" : ""));
        return table;
    }
}
