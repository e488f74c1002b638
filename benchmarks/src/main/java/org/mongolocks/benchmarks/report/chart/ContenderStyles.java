package org.mongolocks.benchmarks.report.chart;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementStatus.Status;

/** The style, title and order of every contender, the same in all charts. */
public final class ContenderStyles {
    private static final List<Kind> ORDER = List.of(Kind.BASELINE, Kind.STRATEGY, Kind.PEER);

    private final List<LockUnderTest> contenders;
    private final Map<String, LockUnderTest> byId;
    private final Map<String, SeriesStyle> styles = new HashMap<>();

    public ContenderStyles(List<LockUnderTest> contenders) {
        this.contenders = contenders.stream()
                .sorted(Comparator.comparing(contender -> ORDER.indexOf(contender.kind())))
                .toList();
        this.byId = contenders.stream()
                .collect(Collectors.toMap(LockUnderTest::id, Function.identity(), (first, second) -> first));
        assignStyles(Kind.BASELINE, place -> SeriesStyle.BASELINE);
        assignStyles(Kind.STRATEGY, SeriesStyle::ofStrategy);
        assignStyles(Kind.PEER, SeriesStyle::ofPeer);
    }

    private void assignStyles(Kind kind, IntFunction<SeriesStyle> style) {
        List<LockUnderTest> alike =
                contenders.stream().filter(one -> one.kind() == kind).toList();
        for (int place = 0; place < alike.size(); place++) {
            styles.put(alike.get(place).id(), style.apply(place));
        }
    }

    public SeriesStyle style(String id) {
        return styles.getOrDefault(id, SeriesStyle.BASELINE);
    }

    public boolean isKnown(String id) {
        return byId.containsKey(id);
    }

    public String title(String id) {
        LockUnderTest contender = byId.get(id);
        return contender == null || contender.title().isBlank() ? id : contender.title();
    }

    /** Returns whether the figures of a contender are void because it violated mutual exclusion. */
    public boolean isVoid(Measurement measurement) {
        LockUnderTest contender = byId.get(measurement.subject().contender());
        return contender != null && contender.verdict().status() == Status.VOID;
    }

    /** Returns the peers among the measured contenders. */
    public List<LockUnderTest> peers(Collection<Measurement> measurements) {
        return contenders.stream()
                .filter(one -> one.kind() == Kind.PEER)
                .filter(one -> measurements.stream()
                        .anyMatch(figure -> figure.subject().contender().equals(one.id())))
                .toList();
    }

    /** Returns the guarantees of a contender in one line. */
    public String guarantees(String id) {
        Properties properties = byId.get(id) == null
                ? Properties.ofBaseline("unknown")
                : byId.get(id).properties();
        return "durable: " + properties.durability() + "; fencing: " + properties.fencing() + "; owner check: "
                + properties.ownerCheck() + "; clock: " + properties.clock() + ".";
    }

    /** Returns an order by contender, client and parameters. */
    public Comparator<Measurement> order() {
        List<String> ids = contenders.stream().map(LockUnderTest::id).toList();
        return Comparator.<Measurement>comparingInt(
                        one -> ids.indexOf(one.subject().contender()))
                .thenComparing(one -> one.subject().client())
                .thenComparing(one -> one.subject().parameters().values().stream()
                        .map(ContenderStyles::sortable)
                        .collect(Collectors.joining(" ")));
    }

    private static String sortable(Object value) {
        return value instanceof Number number
                ? String.format(Locale.ROOT, "%020.6f", number.doubleValue())
                : value.toString();
    }
}
