package org.mongolocks.study.waiting;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.mongolocks.reporting.Template;
import org.mongolocks.study.waiting.WaitingCase.Load;
import org.mongolocks.study.waiting.WaitingCase.Order;

/**
 * A chart of the runs with one lock in which no client leaves, as an SVG image on a white ground: commands a grant above, and hand-overs below,
 * both over the number of clients. All scales are logarithmic. Its markup is {@code waiting.ftlx}; a document shows it
 * where no script runs.
 */
public final class WaitingChart {
    private static final double LEFT = 60;
    private static final double WIDTH = 490;
    private static final String SOLID = "none";
    private static final String DASHED = "5 4";
    private static final List<String> COLOURS =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#b8860b", "#7b3294");

    private final Map<String, List<WaitingResult>> lines;
    private final double mostClients;

    /** A label of an axis and its position. */
    public record Tick(double at, String label) {}

    /** A measured point. */
    public record Point(double x, double y) {}

    /** The values of one kind. */
    public record Curve(String dash, List<Point> points) {}

    /** The values of one technique. */
    public record Line(String title, String colour, List<Curve> curves) {}

    /** One part of the image: its top and bottom edge, and its values from 1 to the largest. */
    public record Panel(String title, double top, double bottom, double most) {
        double y(double value) {
            return rounded(bottom - (bottom - top) * Math.log(Math.max(1, value)) / Math.log(most));
        }

        public List<Tick> ticks() {
            return DoubleStream.iterate(1, tick -> tick <= most, tick -> 10 * tick)
                    .flatMap(tick -> DoubleStream.of(tick, 2 * tick, 4 * tick))
                    .filter(value -> value <= most)
                    .mapToObj(value -> new Tick(y(value), Integer.toString((int) value)))
                    .toList();
        }
    }

    /**
     * Creates a chart.
     *
     * @param results the results, of which those with one contended lock are shown
     */
    public WaitingChart(List<WaitingResult> results) {
        this.lines = results.stream()
                .filter(one -> one.its().load() == Load.CONTENDED && one.its().order() != Order.MIXED)
                .sorted(Comparator.comparingInt(one -> one.its().clients()))
                .collect(Collectors.groupingBy(WaitingChart::title, TreeMap::new, Collectors.toList()));
        this.mostClients = clients().stream().mapToInt(Integer::intValue).max().orElse(1);
    }

    private static String title(WaitingResult one) {
        return one.its().technique().name() + (one.its().order() == Order.FAIR ? ", fair" : "");
    }

    private List<Integer> clients() {
        return lines.values().stream()
                .flatMap(List::stream)
                .map(one -> one.its().clients())
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns the image, always the same for the same results. */
    public String svg() {
        Panel commands =
                panel("Commands a grant, without those of change streams", 40, 290, WaitingResult::commandsPerGrant);
        Panel handovers = panel(
                "Milliseconds from a release to the next grant: median, and dashed the 99th percentile",
                350,
                590,
                one -> one.handoverMillis(0.99));
        List<Line> shown = new ArrayList<>();
        lines.forEach((title, line) -> shown.add(new Line(
                title,
                COLOURS.get(shown.size() % COLOURS.size()),
                List.of(
                        curve(SOLID, commands, line, WaitingResult::commandsPerGrant),
                        curve(SOLID, handovers, line, one -> one.handoverMillis(0.5)),
                        curve(DASHED, handovers, line, one -> one.handoverMillis(0.99))))));
        return Template.fill(
                WaitingChart.class,
                "waiting.ftlx",
                Map.of(
                        "panels", List.of(commands, handovers),
                        "clients",
                                clients().stream()
                                        .map(some -> new Tick(x(some), Integer.toString(some)))
                                        .toList(),
                        "floor", handovers.y(WaitingCase.floorMillis(0.5)),
                        "lines", shown));
    }

    /** Returns a part of the image with values up to a power of ten, at least 10. */
    private Panel panel(String title, double top, double bottom, Function<WaitingResult, OptionalDouble> value) {
        double most = lines.values().stream()
                .flatMap(List::stream)
                .flatMapToDouble(one -> value.apply(one).stream())
                .max()
                .orElse(1);
        return new Panel(title, top, bottom, Math.pow(10, Math.max(1, Math.ceil(Math.log10(most)))));
    }

    private Curve curve(
            String dash, Panel panel, List<WaitingResult> line, Function<WaitingResult, OptionalDouble> value) {
        return new Curve(
                dash,
                line.stream()
                        .filter(one -> value.apply(one).isPresent())
                        .map(one -> new Point(
                                x(one.its().clients()), panel.y(value.apply(one).getAsDouble())))
                        .toList());
    }

    private double x(int clients) {
        return mostClients == 1 ? LEFT : rounded(LEFT + WIDTH * Math.log(clients) / Math.log(mostClients));
    }

    private static double rounded(double value) {
        return Math.round(10 * value) / 10.0;
    }
}
