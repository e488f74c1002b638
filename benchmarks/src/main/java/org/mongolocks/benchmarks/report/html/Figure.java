package org.mongolocks.benchmarks.report.html;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bson.Document;
import org.mongolocks.benchmarks.report.chart.ChartData;
import org.mongolocks.benchmarks.report.chart.ChartHeading;
import org.mongolocks.benchmarks.report.chart.ContenderStyles;
import org.mongolocks.benchmarks.report.chart.QuantityFormat;
import org.mongolocks.benchmarks.report.chart.SeriesStyle;
import org.mongolocks.benchmarks.report.chart.SettingsText;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Ratio;
import org.mongolocks.reporting.Json;

/** A figure of the page: a chart for each client, remarks, and a table with all that they show. */
public final class Figure {
    private static final String SPREAD =
            "The mark is the median; the strokes are 90 and 99 of 100, the ring 999 of 1000.";
    private static final String BASELINE = "The dotted stroke is its baseline.";
    private static final String WHISKER = "The thin line across a mark is the 95 % interval.";

    private final String id;
    private final String title;
    private final ContenderStyles styles;
    private final ChartData data;
    private final ChartData drawn;
    private final Optional<String> axis;
    private final Optional<Double> noise;

    /**
     * A chart, with the figures of one client.
     *
     * @param client the id of the client
     * @param kind how charts.js draws it
     * @param data the JSON that it draws
     * @param summary the extremes in words
     */
    public record Panel(String client, String kind, String data, String summary) {}

    private Figure(String id, String title, ContenderStyles styles, ChartData data, Optional<Double> noise) {
        this.id = id;
        this.title = title;
        this.styles = styles;
        this.data = data;
        this.drawn = data.filtered(one -> !styles.isVoid(one));
        this.axis = drawn.axis();
        this.noise = noise;
    }

    /**
     * Splits data into figures. One without an axis shows all parameters in its rows; a line chart has only one axis for
     * them.
     *
     * @param id the prefix of their ids
     * @param noise the drift of the baselines that the figures depend on, if it was too high
     */
    static List<Figure> of(String id, ContenderStyles styles, ChartData data, Optional<Double> noise) {
        Map<Map<String, Object>, ChartData> parts =
                data.axis().isPresent() ? data.facets() : Map.of(new TreeMap<>(), data);
        String title = ChartHeading.of(data).title();
        List<Figure> figures = new ArrayList<>();
        parts.forEach((setting, part) -> figures.add(new Figure(
                id + "-" + (figures.size() + 1),
                setting.isEmpty() ? title : title + ", " + SettingsText.words(setting),
                styles,
                part,
                noise)));
        return data.isEmpty() ? List.of() : figures;
    }

    public String id() {
        return id;
    }

    public String title() {
        return title;
    }

    /** Returns how to read the charts. */
    public String says() {
        Set<String> key = new LinkedHashSet<>(List.of(ChartHeading.of(data).says()));
        for (Measurement one : drawn.measurements()) {
            if (!isLine() && one.percentiles().isPresent()) {
                key.add(SPREAD);
            } else if (one.value().interval().isPresent()) {
                key.add(WHISKER);
            }
            if (!isLine() && (one.ratio().isPresent() || drawn.isAgainstBaseline())) {
                key.add(BASELINE);
            }
        }
        return String.join(" ", key);
    }

    /** Returns whether the charts are lines over a parameter. */
    public boolean isLine() {
        return axis.isPresent();
    }

    /** Returns the ids of all contenders that are drawn, in the order of all charts. */
    public List<String> contenders() {
        return drawn.measurements().stream()
                .sorted(styles.order())
                .map(one -> one.subject().contender())
                .distinct()
                .toList();
    }

    public FigureTable table() {
        return new FigureTable(styles, data);
    }

    /** Returns a chart for each client. Their scales are the same, so that they can be compared. */
    public List<Panel> panels() {
        return Arrays.stream(Client.values()).flatMap(this::panel).toList();
    }

    private Stream<Panel> panel(Client client) {
        List<Measurement> shown = drawn.measurements().stream()
                .filter(one -> one.subject().client() == client)
                .sorted(styles.order())
                .toList();
        Map<String, Object> chart = new LinkedHashMap<>(Map.of(
                "unit", data.metric().unit(),
                "isRatio", data.isAgainstBaseline(),
                "rows", shown.stream().map(this::row).toList()));
        axis.ifPresent(name -> chart.put("parameter", ChartHeading.words(name)));
        return shown.isEmpty()
                ? Stream.of()
                : Stream.of(new Panel(client.id(), isLine() ? "lines" : "rows", Json.inline(chart), summary(shown)));
    }

    private Document row(Measurement one) {
        String contender = one.subject().contender();
        SeriesStyle style = styles.style(contender);
        String setting = isLine() ? "" : setting(one);
        Document row = new Document("label", styles.title(contender) + (setting.isEmpty() ? "" : " · " + setting))
                .append("words", words(one))
                .append("colour", style.colour())
                .append("symbol", style.symbol())
                .append("dash", style.dash())
                .append("value", one.value().value());
        axis.map(name -> one.subject().parameters().get(name))
                .filter(Number.class::isInstance)
                .ifPresent(x -> row.append("x", x));
        one.value().interval().ifPresent(ends -> row.append("low", ends.low()).append("high", ends.high()));
        if (!isLine()) {
            one.percentiles()
                    .ifPresent(all -> row.append("p90", all.p90())
                            .append("p99", all.p99())
                            .append("p999", all.p999()));
            baseline(one).ifPresent(value -> row.append("baseline", value));
        }
        return row;
    }

    private String words(Measurement one) {
        return quantity(one)
                + one.ratio()
                        .map(ratio -> " · " + QuantityFormat.times(ratio.times().value()) + " × baseline")
                        .orElse("");
    }

    private static String quantity(Measurement one) {
        return QuantityFormat.of(one.value().value(), one.metric().unit());
    }

    private String setting(Measurement one) {
        return SettingsText.words(SettingsText.telling(one, drawn.measurements()));
    }

    /**
     * Returns the value of the baseline. A baseline that was measured with one client only also applies to the other.
     */
    private Optional<Double> baseline(Measurement one) {
        return data.isAgainstBaseline()
                ? Optional.of(1.0)
                : one.ratio()
                        .map(Ratio::to)
                        .flatMap(baseline -> drawn.measurements().stream()
                                .filter(other -> other.subject().contender().equals(baseline))
                                .min(Comparator.comparing(
                                        other -> other.subject().client()
                                                != one.subject().client()))
                                .map(other -> other.value().value()));
    }

    private String summary(List<Measurement> shown) {
        Comparator<Measurement> byValue =
                Comparator.comparingDouble(one -> one.value().value());
        return "Least: " + shown.stream().min(byValue).map(this::extreme).orElse("none") + ". Most: "
                + shown.stream().max(byValue).map(this::extreme).orElse("none") + ".";
    }

    private String extreme(Measurement one) {
        return Stream.of(styles.title(one.subject().contender()), setting(one), quantity(one))
                .filter(words -> !words.isEmpty())
                .collect(joining(", "));
    }

    public List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        noise.ifPresent(drift -> remarks.add("Noisy: baselines of " + data.benchmark() + " drifted by up to "
                + QuantityFormat.plain(100 * drift, 0) + " %; small differences mean nothing."));
        String left = data.measurements().stream()
                .filter(styles::isVoid)
                .map(one -> styles.title(one.subject().contender()))
                .distinct()
                .collect(joining(", "));
        if (!left.isEmpty()) {
            remarks.add("Void and not drawn: " + left + ".");
        }
        styles.peers(drawn.measurements())
                .forEach(peer -> remarks.add(styles.title(peer.id()) + " is " + styles.guarantees(peer.id())));
        return remarks;
    }
}
