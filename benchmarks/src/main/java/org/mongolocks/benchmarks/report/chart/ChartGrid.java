package org.mongolocks.benchmarks.report.chart;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.html.HtmlElement;

/** The charts of a data set: one for each client, on the same scales, so that they can be compared. */
public final class ChartGrid {
    private final ContenderStyles styles;
    private final ChartData data;

    /** Creates the charts of measurements that are not void. */
    public ChartGrid(ContenderStyles styles, ChartData data) {
        this.styles = styles;
        this.data = data;
    }

    /** Returns the charts, with this prefix for their ids. */
    public List<HtmlElement> under(String id) {
        return Arrays.stream(Client.values())
                .filter(client -> of(client).findAny().isPresent())
                .map(client -> panel(id + "-" + client.id(), client))
                .toList();
    }

    private HtmlElement panel(String id, Client client) {
        String title = ChartHeading.of(data).title() + ", " + client.id() + " client";
        SvgFrame picture = new SvgFrame(id, title, description(client));
        List<Measurement> shown = of(client).toList();
        HtmlElement svg = data.axis()
                .map(axis -> new LineChartData(styles, data, axis).chart(shown).in(picture))
                .orElseGet(() -> new RowChartData(styles, data).chart(shown).in(picture));
        return HtmlElement.of("div", HtmlElement.of("h4", client.id() + " client"), svg)
                .with("class", "panel");
    }

    private Stream<Measurement> of(Client client) {
        return data.measurements().stream()
                .filter(one -> one.subject().client() == client)
                .sorted(styles.order());
    }

    private String description(Client client) {
        Comparator<Measurement> byValue =
                Comparator.comparingDouble(one -> one.value().value());
        String least = of(client).min(byValue).map(this::words).orElse("none");
        String most = of(client).max(byValue).map(this::words).orElse("none");
        return "Least: " + least + ". Most: " + most + ". The table beneath has every figure.";
    }

    private String words(Measurement one) {
        return styles.title(one.subject().contender()) + setting(one) + ", "
                + QuantityFormat.of(one.value().value(), one.metric().unit());
    }

    private String setting(Measurement one) {
        String words = SettingsText.words(SettingsText.telling(one, data.measurements()));
        return words.isEmpty() ? "" : ", " + words;
    }
}
