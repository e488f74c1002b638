package org.mongolocks.benchmarks.page;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.mongolocks.benchmarks.result.Measurement;

/** The figures of one data set: charts, captions, and a table below. */
final class FigureSection {
    private static final String SPREAD =
            "The mark is the median; the strokes are 90 and 99 of 100, the ring 999 of 1000.";
    private static final String FLOOR = "The dotted stroke is its floor.";
    private static final String WHISKER = "The thin line across a mark is the 95 % interval.";

    private final Cast cast;
    private final Sheet sheet;
    private final Optional<Double> noise;

    /**
     * Creates a section.
     *
     * @param noise the drift of the baselines that the figures depend on, if it was too high
     */
    FigureSection(Cast cast, Sheet sheet, Optional<Double> noise) {
        this.cast = cast;
        this.sheet = sheet;
        this.noise = noise;
    }

    /** Returns the figures, with this prefix for their ids. */
    List<Tag> under(String id) {
        List<Tag> figures = new ArrayList<>();
        for (Map.Entry<Map<String, Object>, Sheet> part : parts().entrySet()) {
            String own = id + "-" + (figures.size() + 1);
            figures.add(figure(own, title(part.getKey()), part.getValue()));
        }
        return figures;
    }

    /**
     * Splits the data into charts. A row chart shows all parameters in its rows; a line chart has only one axis for
     * them.
     */
    private Map<Map<String, Object>, Sheet> parts() {
        return sheet.axis().isPresent() ? sheet.facets() : Map.of(new TreeMap<>(), sheet);
    }

    private String title(Map<String, Object> setting) {
        String title = Heading.of(sheet).title();
        return setting.isEmpty() ? title : title + ", " + Settings.words(setting);
    }

    private Tag figure(String id, String title, Sheet part) {
        Sheet drawn = part.filtered(one -> !cast.isVoid(one));
        Tag caption = Tag.of(
                "figcaption", Tag.of("h3", title), Tag.of("p", Heading.of(sheet).says() + " " + key(drawn)));
        Tag table = Tag.of("details", Tag.of("summary", "Table: " + title), new FigureTable(cast, part).html(title));
        return Tag.of(
                        "figure",
                        caption,
                        Tag.of("div", new Panels(cast, drawn).under(id)).with("class", "panels"),
                        remarks(part),
                        table)
                .with("id", id);
    }

    private static String key(Sheet drawn) {
        Set<String> key = new LinkedHashSet<>();
        boolean isLine = drawn.axis().isPresent();
        for (Measurement one : drawn.measurements()) {
            if (!isLine && one.percentiles().isPresent()) {
                key.add(SPREAD);
            } else if (one.value().interval().isPresent()) {
                key.add(WHISKER);
            }
            if (!isLine && (one.ratio().isPresent() || drawn.isAgainstFloor())) {
                key.add(FLOOR);
            }
        }
        return String.join(" ", key);
    }

    private List<Tag> remarks(Sheet part) {
        List<Tag> remarks = new ArrayList<>();
        noise.ifPresent(drift -> remarks.add(remark("Noisy: floors of " + sheet.benchmark() + " drifted by up to "
                + Quantity.plain(100 * drift, 0) + " %; small differences mean nothing.")));
        String left = left(part);
        if (!left.isEmpty()) {
            remarks.add(remark("Void and not drawn: " + left + "."));
        }
        cast.peers(part.filtered(one -> !cast.isVoid(one)).measurements())
                .forEach(peer -> remarks.add(remark(cast.title(peer.id()) + " is " + cast.promise(peer.id()))));
        return remarks;
    }

    private String left(Sheet part) {
        return part.measurements().stream()
                .filter(cast::isVoid)
                .map(one -> cast.title(one.subject().contender()))
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private static Tag remark(String words) {
        return Tag.of("p", words).with("class", "remark");
    }
}
