package org.mongolocks.study.report;

import static org.mongolocks.html.HtmlElement.escaped;
import static org.mongolocks.html.HtmlElement.number;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.html.HtmlElement;
import org.mongolocks.study.check.Violation;
import org.mongolocks.study.example.CounterExample;
import org.mongolocks.study.example.EventDescription;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/**
 * A drawing of a counter-example: a band for each client and one for the server, with leases, holds, commands, requests
 * and replies, faults, and the moment of the conflict.
 */
final class Timeline {
    private static final double ROOM_FOR_TIME = 58;

    private final CounterExample example;
    private final Map<Long, String> conflicts;
    private final Axis axis;

    private Timeline(CounterExample example, List<Violation> violations) {
        this.example = example;
        this.conflicts = violations.stream()
                .collect(Collectors.toMap(
                        Violation::atNanos,
                        violation -> violation.finding().words(),
                        (one, other) -> one + ", " + other,
                        TreeMap::new));
        this.axis = Axis.of(example, List.copyOf(conflicts.keySet()));
    }

    /** Draws an example with all violations that it shows. */
    static String of(CounterExample example, List<Violation> violations) {
        return new Timeline(example, violations).svg();
    }

    private String svg() {
        int height = axis.bottom() + 20;
        long width = Math.round(axis.width());
        return "<svg class=\"timeline\" style=\"min-width:" + width + "px\" viewBox=\"0 0 " + width + " " + height
                + "\" role=\"img\" aria-label=\"" + escaped(description())
                + "; the list below has the same content\">\n"
                + Stream.of(scale(), bands(), new HoldBars(axis, example).svg(), arrows(), conflicts(), marks())
                        .collect(Collectors.joining("\n"))
                + "\n</svg>";
    }

    private String description() {
        return conflicts.entrySet().stream()
                .map(conflict -> conflict.getValue() + " at " + EventDescription.seconds(conflict.getKey()))
                .collect(Collectors.joining("; "));
    }

    private String arrows() {
        return new CommandArrows(axis, example.commands()).svg();
    }

    /** Renders times at the positions of events, as often as there is space. */
    private String scale() {
        StringBuilder texts = new StringBuilder();
        StringBuilder ticks = new StringBuilder();
        double last = -ROOM_FOR_TIME;
        for (long at : axis.moments()) {
            if (axis.x(at) - last > ROOM_FOR_TIME) {
                last = axis.x(at);
                texts.append(scale(at));
                ticks.append("M")
                        .append(number(last))
                        .append(" ")
                        .append(axis.top())
                        .append("V")
                        .append(axis.bottom() + 4);
            }
        }
        return HtmlElement.of("path").with("class", "tick").with("d", ticks).toString() + texts;
    }

    private String scale(long at) {
        return text("scale", axis.x(at), axis.bottom() + 15, EventDescription.seconds(at));
    }

    private String bands() {
        return axis.processes().stream()
                .map(process -> HtmlElement.of("line")
                                .with("class", "band")
                                .with("x1", Axis.LEFT)
                                .with("x2", axis.end())
                                .with("y1", axis.y(process))
                                .with("y2", axis.y(process))
                        + text("who", 4, axis.y(process) + 4, EventDescription.who(process)))
                .collect(Collectors.joining());
    }

    private String conflicts() {
        StringBuilder all = new StringBuilder();
        int row = 0;
        for (Map.Entry<Long, String> conflict : conflicts.entrySet()) {
            row++;
            all.append(conflict(axis.x(conflict.getKey()), conflict.getValue(), row * 13));
        }
        return all.toString();
    }

    /** Renders the conflict; its text is on the side with more space. */
    private String conflict(double x, String words, int y) {
        boolean isRight = x > axis.width() / 2;
        return HtmlElement.of("path")
                        .with("class", "conflict")
                        .with("d", "M" + number(x) + " " + (y - 9) + "V" + axis.bottom())
                + text("conflict " + (isRight ? "left" : ""), x + (isRight ? -4 : 4), y, "✕ " + words);
    }

    private static String text(String style, double x, int y, String content) {
        return HtmlElement.of("text", content)
                .with("class", style)
                .with("x", x)
                .with("y", y)
                .toString();
    }

    /** Renders all marks of a kind as one path, which is smaller than one for each. */
    private String marks() {
        Map<String, String> lines = example.events().stream()
                .collect(Collectors.groupingBy(
                        Timeline::kindOf, TreeMap::new, Collectors.mapping(this::mark, Collectors.joining())));
        return lines.entrySet().stream()
                        .map(kind -> HtmlElement.of("path")
                                .with("class", "mark " + kind.getKey())
                                .with("d", kind.getValue())
                                .toString())
                        .collect(Collectors.joining())
                + axis.processes().stream().map(this::numbers).collect(Collectors.joining());
    }

    private String mark(Event event) {
        int y = axis.y(event.process());
        return "M" + number(axis.x(event.atNanos())) + " " + (y - 12) + "V" + (y + 14);
    }

    private static String kindOf(Event event) {
        boolean isFault = event.op() == Op.CRASH
                || event.op() == Op.PAUSE
                || event.op() == Op.FAULT
                || event.op() == Op.DISCARDED;
        if (isFault) {
            return "fault";
        }
        return event.phase() == Phase.INVOKE ? "asked" : "answered";
    }

    /** Renders the number of each event in the list; events close together get the first and the last number. */
    private String numbers(int process) {
        TimelineLabels labels = new TimelineLabels();
        List<Event> events = example.events();
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i).process() == process) {
                String number = EventDescription.number(i);
                labels.add(axis.x(events.get(i).atNanos()), number, number);
            }
        }
        return labels.at(axis.y(process) + 25, axis.width(), "number");
    }
}
