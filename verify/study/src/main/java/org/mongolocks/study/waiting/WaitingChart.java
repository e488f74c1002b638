package org.mongolocks.study.waiting;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.mongolocks.html.HtmlElement;
import org.mongolocks.study.waiting.WaitingCase.Load;
import org.mongolocks.study.waiting.WaitingCase.Order;

/**
 * A chart of the runs with one lock in which no client leaves, as an SVG image on a white ground: commands a grant above, and hand-overs below,
 * both over the number of clients. All scales are logarithmic.
 */
public final class WaitingChart {
    private static final double WIDTH = 780;
    private static final double HEIGHT = 640;
    private static final double LEFT = 60;
    private static final double RIGHT = 550;
    private static final double NAMES = RIGHT + 14;
    private static final double LINE_OF_TEXT = 18;
    private static final String GREY = "#666666";
    private static final String SOLID = "none";
    private static final String DASHED = "5 4";
    private static final List<String> COLOURS =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#b8860b", "#7b3294");

    private final Map<String, List<WaitingResult>> lines;
    private final double mostClients;

    /** One part of the image: its top and bottom edge, and its values from 1 to the largest. */
    private record Panel(double top, double bottom, double most) {
        double y(double value) {
            return bottom - (bottom - top) * Math.log(Math.max(1, value)) / Math.log(most);
        }
    }

    /**
     * Creates a chart.
     *
     * @param results the results, of which those with one contended lock are shown
     */
    public WaitingChart(List<WaitingResult> results) {
        List<WaitingResult> shown = results.stream()
                .filter(one -> one.its().load() == Load.CONTENDED && one.its().order() != Order.MIXED)
                .sorted(Comparator.comparingInt(one -> one.its().clients()))
                .toList();
        this.lines = shown.stream()
                .sorted(Comparator.comparing(WaitingChart::title))
                .collect(Collectors.groupingBy(WaitingChart::title, LinkedHashMap::new, Collectors.toList()));
        this.mostClients =
                shown.stream().mapToInt(one -> one.its().clients()).max().orElse(1);
    }

    private static String title(WaitingResult one) {
        return one.its().technique().name() + (one.its().order() == Order.FAIR ? ", fair" : "");
    }

    /** Returns the image, always the same for the same results. */
    public String svg() {
        Panel above = new Panel(40, 290, roundedUp(most(WaitingResult::commandsPerGrant)));
        Panel below = new Panel(350, 590, roundedUp(most(one -> one.handoverMillis(0.99))));
        List<Object> parts = new ArrayList<>(List.of(
                HtmlElement.of("title", "Waiting clients: commands a grant, and hand-overs"),
                HtmlElement.of("rect")
                        .with("width", WIDTH)
                        .with("height", HEIGHT)
                        .with("fill", "#ffffff")));
        parts.addAll(frame(above, "Commands a grant, without those of change streams"));
        parts.addAll(
                frame(below, "Milliseconds from a release to the next grant: median, and dashed the 99th percentile"));
        parts.add(text(LEFT, HEIGHT - 12, GREY, "clients that contend for one lock"));
        double floor = below.y(WaitingCase.floorMillis(0.5));
        parts.add(stroke(GREY, "2 3", LEFT + "," + floor + " " + RIGHT + "," + floor));
        parts.add(text(NAMES, floor + 4, GREY, "floor of the median"));
        int number = 0;
        for (Map.Entry<String, List<WaitingResult>> line : lines.entrySet()) {
            String colour = COLOURS.get(number % COLOURS.size());
            parts.add(line(above, colour, SOLID, points(line.getValue(), WaitingResult::commandsPerGrant)));
            parts.add(line(below, colour, SOLID, points(line.getValue(), one -> one.handoverMillis(0.5))));
            parts.add(line(below, colour, DASHED, points(line.getValue(), one -> one.handoverMillis(0.99))));
            double y = above.top() + 10 + number * LINE_OF_TEXT;
            parts.add(stroke(colour, SOLID, NAMES + "," + (y - 4) + " " + (NAMES + 16) + "," + (y - 4)));
            parts.add(text(NAMES + 22, y, colour, line.getKey()));
            number++;
        }
        return HtmlElement.of("svg", parts)
                        .with("xmlns", "http://www.w3.org/2000/svg")
                        .with("viewBox", "0 0 " + HtmlElement.number(WIDTH) + " " + HtmlElement.number(HEIGHT))
                        .with("role", "img")
                        .with("font-family", "sans-serif")
                        .with("font-size", "12")
                + "\n";
    }

    private double most(Function<WaitingResult, OptionalDouble> value) {
        return lines.values().stream()
                .flatMap(List::stream)
                .flatMapToDouble(one -> value.apply(one).stream())
                .max()
                .orElse(1);
    }

    /** Returns the next power of ten, at least 10. */
    private static double roundedUp(double value) {
        return Math.pow(10, Math.max(1, Math.ceil(Math.log10(value))));
    }

    private List<HtmlElement> frame(Panel panel, String title) {
        List<HtmlElement> parts = new ArrayList<>();
        parts.add(text(LEFT, panel.top() - 12, "#000000", title));
        for (double tick = 1; tick <= panel.most(); tick *= 10) {
            for (double value : tick < panel.most() ? new double[] {tick, 2 * tick, 4 * tick} : new double[] {tick}) {
                parts.add(stroke("#dddddd", SOLID, LEFT + "," + panel.y(value) + " " + RIGHT + "," + panel.y(value)));
                parts.add(text(LEFT - 8, panel.y(value) + 4, GREY, HtmlElement.number(value))
                        .with("text-anchor", "end"));
            }
        }
        lines.values().stream()
                .flatMap(List::stream)
                .map(one -> one.its().clients())
                .distinct()
                .sorted()
                .forEach(clients -> parts.add(text(x(clients), panel.bottom() + 18, GREY, Integer.toString(clients))
                        .with("text-anchor", "middle")));
        return parts;
    }

    private List<double[]> points(List<WaitingResult> line, Function<WaitingResult, OptionalDouble> value) {
        return line.stream()
                .sorted(Comparator.comparingInt(one -> one.its().clients()))
                .filter(one -> value.apply(one).isPresent())
                .map(one ->
                        new double[] {x(one.its().clients()), value.apply(one).getAsDouble()})
                .toList();
    }

    private static HtmlElement line(Panel panel, String colour, String dash, List<double[]> points) {
        String places = points.stream()
                .map(point -> String.format(Locale.ROOT, "%.1f,%.1f", point[0], panel.y(point[1])))
                .collect(Collectors.joining(" "));
        HtmlElement drawn = HtmlElement.of("g", stroke(colour, dash, places));
        points.forEach(point -> drawn.add(HtmlElement.of("circle")
                .with("cx", point[0])
                .with("cy", panel.y(point[1]))
                .with("r", "2.5")
                .with("fill", colour)));
        return drawn;
    }

    private double x(int clients) {
        return mostClients == 1 ? LEFT : LEFT + (RIGHT - LEFT) * Math.log(clients) / Math.log(mostClients);
    }

    private static HtmlElement stroke(String colour, String dash, String points) {
        return HtmlElement.of("polyline")
                .with("points", points)
                .with("fill", "none")
                .with("stroke", colour)
                .with("stroke-width", "1.5")
                .with("stroke-dasharray", dash);
    }

    private static HtmlElement text(double x, double y, String colour, String content) {
        return HtmlElement.of("text", content).with("x", x).with("y", y).with("fill", colour);
    }
}
