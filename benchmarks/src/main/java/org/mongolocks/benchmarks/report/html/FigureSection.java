package org.mongolocks.benchmarks.report.html;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.mongolocks.benchmarks.report.chart.ChartData;
import org.mongolocks.benchmarks.report.chart.ChartGrid;
import org.mongolocks.benchmarks.report.chart.ChartHeading;
import org.mongolocks.benchmarks.report.chart.ContenderStyles;
import org.mongolocks.benchmarks.report.chart.QuantityFormat;
import org.mongolocks.benchmarks.report.chart.SettingsText;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.html.HtmlElement;

/** The figures of one data set: charts, captions, and a table below. */
final class FigureSection {
    private static final String SPREAD =
            "The mark is the median; the strokes are 90 and 99 of 100, the ring 999 of 1000.";
    private static final String BASELINE = "The dotted stroke is its baseline.";
    private static final String WHISKER = "The thin line across a mark is the 95 % interval.";

    private final ContenderStyles styles;
    private final ChartData data;
    private final Optional<Double> noise;

    /**
     * Creates a section.
     *
     * @param noise the drift of the baselines that the figures depend on, if it was too high
     */
    FigureSection(ContenderStyles styles, ChartData data, Optional<Double> noise) {
        this.styles = styles;
        this.data = data;
        this.noise = noise;
    }

    /** Returns the figures, with this prefix for their ids. */
    List<HtmlElement> under(String id) {
        List<HtmlElement> figures = new ArrayList<>();
        for (Map.Entry<Map<String, Object>, ChartData> part : parts().entrySet()) {
            String own = id + "-" + (figures.size() + 1);
            figures.add(figure(own, title(part.getKey()), part.getValue()));
        }
        return figures;
    }

    /**
     * Splits the data into charts. A row chart shows all parameters in its rows; a line chart has only one axis for
     * them.
     */
    private Map<Map<String, Object>, ChartData> parts() {
        return data.axis().isPresent() ? data.facets() : Map.of(new TreeMap<>(), data);
    }

    private String title(Map<String, Object> setting) {
        String title = ChartHeading.of(data).title();
        return setting.isEmpty() ? title : title + ", " + SettingsText.words(setting);
    }

    private HtmlElement figure(String id, String title, ChartData part) {
        ChartData drawn = part.filtered(one -> !styles.isVoid(one));
        HtmlElement caption = HtmlElement.of(
                "figcaption",
                HtmlElement.of("h3", title),
                HtmlElement.of("p", ChartHeading.of(data).says() + " " + key(drawn)));
        HtmlElement table = HtmlElement.of(
                "details", HtmlElement.of("summary", "Table: " + title), new FigureTable(styles, part).html(title));
        return HtmlElement.of(
                        "figure",
                        caption,
                        HtmlElement.of("div", new ChartGrid(styles, drawn).under(id))
                                .with("class", "panels"),
                        remarks(part),
                        table)
                .with("id", id);
    }

    private static String key(ChartData drawn) {
        Set<String> key = new LinkedHashSet<>();
        boolean isLine = drawn.axis().isPresent();
        for (Measurement one : drawn.measurements()) {
            if (!isLine && one.percentiles().isPresent()) {
                key.add(SPREAD);
            } else if (one.value().interval().isPresent()) {
                key.add(WHISKER);
            }
            if (!isLine && (one.ratio().isPresent() || drawn.isAgainstBaseline())) {
                key.add(BASELINE);
            }
        }
        return String.join(" ", key);
    }

    private List<HtmlElement> remarks(ChartData part) {
        List<HtmlElement> remarks = new ArrayList<>();
        noise.ifPresent(drift -> remarks.add(remark("Noisy: baselines of " + data.benchmark() + " drifted by up to "
                + QuantityFormat.plain(100 * drift, 0) + " %; small differences mean nothing.")));
        String left = left(part);
        if (!left.isEmpty()) {
            remarks.add(remark("Void and not drawn: " + left + "."));
        }
        styles.peers(part.filtered(one -> !styles.isVoid(one)).measurements())
                .forEach(peer -> remarks.add(remark(styles.title(peer.id()) + " is " + styles.guarantees(peer.id()))));
        return remarks;
    }

    private String left(ChartData part) {
        return part.measurements().stream()
                .filter(styles::isVoid)
                .map(one -> styles.title(one.subject().contender()))
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private static HtmlElement remark(String words) {
        return HtmlElement.of("p", words).with("class", "remark");
    }
}
