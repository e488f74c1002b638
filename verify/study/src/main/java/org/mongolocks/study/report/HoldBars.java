package org.mongolocks.study.report;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.html.HtmlElement;
import org.mongolocks.study.example.CounterExample;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/** Draws which client held the lock and for how long, by its lease and by its work, and which processes were paused. */
final class HoldBars {
    private final Axis axis;
    private final CounterExample example;

    HoldBars(Axis axis, CounterExample example) {
        this.axis = axis;
        this.example = example;
    }

    String svg() {
        return holds() + pauses();
    }

    private String holds() {
        return example.events().stream()
                .filter(event -> event.is(Op.ACQUIRE, Phase.OK))
                .map(this::hold)
                .collect(Collectors.joining());
    }

    /** Draws a hold from the grant to the release or the crash; the lease may end before or after that. */
    private String hold(Event granted) {
        int y = axis.y(granted.process());
        String kind = kindOf(granted.grant());
        return bar("lease " + kind, granted.fromNanos(), leaseEnd(granted), y - 19, 5)
                + bar("hold " + kind, granted.atNanos(), end(granted), y - 12, 24)
                + HtmlElement.of(
                                "text",
                                "#" + granted.grant() + (granted.token() > 0 ? " token " + granted.token() : ""))
                        .with("class", "grant")
                        .with("x", axis.x(granted.atNanos()) + 3)
                        .with("y", y - 22);
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
                .orElse(Long.MAX_VALUE);
    }

    private long end(Event granted) {
        return example.events().stream()
                .filter(event -> event.atNanos() >= granted.atNanos() && event.process() == granted.process())
                .filter(event -> event.op() == Op.CRASH
                        || (event.grant() == granted.grant() && event.is(Op.RELEASE, Phase.INVOKE)))
                .mapToLong(Event::atNanos)
                .min()
                .orElse(Long.MAX_VALUE);
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
                .orElse(Long.MAX_VALUE);
    }

    private static String rectangle(String kind, double x, double width, int... yAndHeight) {
        return HtmlElement.of("rect")
                .with("class", kind)
                .with("x", x)
                .with("width", Math.max(1, width))
                .with("y", yAndHeight[0])
                .with("height", yAndHeight[1])
                .toString();
    }

    private String bar(String kind, long from, long until, int... yAndHeight) {
        return rectangle(kind, axis.x(from), axis.x(until) - axis.x(from), yAndHeight);
    }
}
