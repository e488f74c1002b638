package org.mongolocks.study.report;

import static org.mongolocks.study.report.Markup.number;
import static org.mongolocks.study.report.Markup.seconds;
import static org.mongolocks.study.report.Markup.text;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mongolocks.study.check.CounterExample;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/**
 * Draws a counter-example: a lane for each client and one for the server, the leases and the holds, what was asked and
 * answered, what went wrong, and the moment of the conflict.
 */
final class Timeline {
    private static final int SCALE_MARKS = 5;
    private static final double ROOM_FOR_NUMBERS = 26;

    private final CounterExample example;
    private final Axis axis;

    private Timeline(CounterExample example) {
        this.example = example;
        this.axis = Axis.of(example.events(), example.violation().atNanos());
    }

    static String of(CounterExample example) {
        return new Timeline(example).svg();
    }

    private String svg() {
        int height = axis.bottom() + 26;
        return "<svg class=\"timeline\" viewBox=\"0 0 " + Axis.WIDTH + " " + height + "\" role=\"img\" aria-label=\""
                + text(Markup.words(example.violation().finding())) + " at "
                + seconds(example.violation().atNanos()) + "; the list below tells the same\">\n"
                + Stream.of(scale(), lanes(), holds(), pauses(), conflict(), marks())
                        .collect(Collectors.joining("\n"))
                + "\n</svg>";
    }

    private String scale() {
        long step = (axis.untilNanos() - axis.fromNanos()) / SCALE_MARKS;
        return IntStream.rangeClosed(1, SCALE_MARKS - 1)
                .mapToLong(i -> axis.fromNanos() + i * step)
                .mapToObj(at -> "<text class=\"scale\" x=\"" + number(axis.x(at)) + "\" y=\"" + (axis.bottom() + 18)
                        + "\">" + seconds(at) + "</text>")
                .collect(Collectors.joining());
    }

    private String lanes() {
        return axis.processes().stream()
                .map(process -> "<line class=\"lane\" x1=\"" + Axis.LEFT + "\" x2=\"" + (Axis.WIDTH - Axis.RIGHT)
                        + "\" y1=\"" + axis.y(process) + "\" y2=\"" + axis.y(process)
                        + "\"/><text class=\"who\" x=\"4\" y=\""
                        + (axis.y(process) + 4) + "\">" + (process == 0 ? "server" : "client " + process) + "</text>")
                .collect(Collectors.joining());
    }

    private String holds() {
        return example.events().stream()
                .filter(event -> event.is(Op.ACQUIRE, Phase.OK))
                .map(this::hold)
                .collect(Collectors.joining());
    }

    /** The hold goes from the grant to the release or the crash; the lease may end before it, or after. */
    private String hold(Event granted) {
        int y = axis.y(granted.process());
        String kind = kindOf(granted.grant());
        return bar("lease " + kind, granted.fromNanos(), leaseEnd(granted), y - 19, 5)
                + bar("hold " + kind, granted.atNanos(), end(granted), y - 12, 24)
                + "<text class=\"grant\" x=\"" + number(axis.x(granted.atNanos()) + 3) + "\" y=\"" + (y - 22) + "\">#"
                + granted.grant() + (granted.token() > 0 ? " token " + granted.token() : "") + "</text>";
    }

    private String kindOf(int grant) {
        if (grant == example.violation().first()) {
            return "first";
        }
        return grant == example.violation().second() ? "second" : "other";
    }

    private long leaseEnd(Event granted) {
        return of(granted)
                .filter(event -> event.is(Op.ACQUIRE, Phase.OK) || event.is(Op.RENEW, Phase.OK))
                .mapToLong(Event::untilNanos)
                .max()
                .orElse(axis.untilNanos());
    }

    private long end(Event granted) {
        return example.events().stream()
                .filter(event -> event.atNanos() >= granted.atNanos() && event.process() == granted.process())
                .filter(event -> event.op() == Op.CRASH
                        || (event.grant() == granted.grant() && event.is(Op.RELEASE, Phase.INVOKE)))
                .mapToLong(Event::atNanos)
                .min()
                .orElse(axis.untilNanos());
    }

    private Stream<Event> of(Event granted) {
        return example.events().stream().filter(event -> event.grant() == granted.grant());
    }

    private String pauses() {
        return example.events().stream()
                .filter(event -> event.is(Op.PAUSE, Phase.INVOKE))
                .map(pause -> bar("pause", pause.atNanos(), endOfPause(pause), axis.y(pause.process()) - 12, 24))
                .collect(Collectors.joining());
    }

    private long endOfPause(Event pause) {
        return example.events().stream()
                .filter(event -> event.process() == pause.process() && event.is(Op.PAUSE, Phase.OK))
                .mapToLong(Event::atNanos)
                .filter(at -> at > pause.atNanos())
                .min()
                .orElse(axis.untilNanos());
    }

    private static String rectangle(String kind, double x, double width, int... yAndHeight) {
        return "<rect class=\"" + kind + "\" x=\"" + number(x) + "\" width=\"" + number(Math.max(1, width)) + "\" y=\""
                + yAndHeight[0] + "\" height=\"" + yAndHeight[1] + "\"/>";
    }

    private String bar(String kind, long from, long until, int... yAndHeight) {
        return rectangle(kind, axis.x(from), axis.x(until) - axis.x(from), yAndHeight);
    }

    private String conflict() {
        String x = number(axis.x(example.violation().atNanos()));
        return "<line class=\"conflict\" x1=\"" + x + "\" x2=\"" + x + "\" y1=\"" + (Axis.TOP - 8) + "\" y2=\""
                + axis.bottom() + "\"/><text class=\"conflict\" x=\"" + x + "\" y=\"10\">conflict</text>";
    }

    private String marks() {
        return example.events().stream().map(this::mark).collect(Collectors.joining())
                + axis.processes().stream().map(this::numbers).collect(Collectors.joining());
    }

    private String mark(Event event) {
        String x = number(axis.x(event.atNanos()));
        int y = axis.y(event.process());
        return "<g class=\"mark " + kindOf(event) + "\"><line x1=\"" + x + "\" x2=\"" + x + "\" y1=\"" + (y - 12)
                + "\" y2=\"" + (y + 14) + "\"/><title>" + text(event.op() + " " + event.phase() + " " + event.note())
                + "</title></g>";
    }

    private static String kindOf(Event event) {
        boolean isFault = event.op() == Op.CRASH || event.op() == Op.PAUSE || event.op() == Op.FAULT;
        if (isFault) {
            return "fault";
        }
        return event.phase() == Phase.INVOKE ? "asked" : "answered";
    }

    /** Each event has its number in the list; those of events close together stand for the first and the last. */
    private String numbers(int process) {
        StringBuilder all = new StringBuilder();
        List<Event> events = example.events();
        double x = -ROOM_FOR_NUMBERS;
        int first = 0;
        int last = 0;
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            if (event.process() == process) {
                if (axis.x(event.atNanos()) - x > ROOM_FOR_NUMBERS) {
                    all.append(numbers(process, x, first, last));
                    x = axis.x(event.atNanos());
                    first = i + 1;
                }
                last = i + 1;
            }
        }
        return all.append(numbers(process, x, first, last)).toString();
    }

    private String numbers(int process, double x, int... firstAndLast) {
        String label = firstAndLast[0] == firstAndLast[1]
                ? Integer.toString(firstAndLast[0])
                : firstAndLast[0] + "–" + firstAndLast[1];
        return firstAndLast[0] == 0
                ? ""
                : "<text class=\"number\" x=\"" + number(x) + "\" y=\"" + (axis.y(process) + 26) + "\">" + label
                        + "</text>";
    }
}
