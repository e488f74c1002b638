package org.mongolocks.study.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.mongolocks.study.example.CounterExample;
import org.mongolocks.study.history.CommandRecord;
import org.mongolocks.study.history.Event;

/**
 * The positions of times and processes in a picture. Milliseconds matter as much as seconds, so idle time is shortened:
 * a span ten times as long is only a little wider.
 *
 * @param moments the times of events, in order
 * @param places the position of each of them
 * @param processes the processes with a band, from the top; the server is in the middle
 * @param top the top of the first band
 */
record Axis(List<Long> moments, List<Double> places, List<Integer> processes, int top) {
    static final int LEFT = 66;
    static final int BAND = 92;
    private static final int RIGHT = 60;
    private static final double NARROWEST = 700;
    private static final double WIDEST = 1500;
    private static final double MIN_GAP = 3;
    private static final double TENFOLD_GAP = 11;
    private static final double SHORT_NANOS = 100_000;

    static Axis of(CounterExample example, List<Long> violations) {
        List<Long> moments = LongStream.concat(
                        LongStream.concat(
                                example.events().stream().mapToLong(Event::atNanos),
                                violations.stream().mapToLong(Long::longValue)),
                        example.commands().stream().flatMapToLong(CommandRecord::moments))
                .sorted()
                .distinct()
                .boxed()
                .toList();
        int rows = (int) violations.stream().distinct().count();
        return new Axis(moments, places(moments), bands(example), 14 + rows * 13);
    }

    private static List<Double> places(List<Long> moments) {
        List<Double> raw = new ArrayList<>(List.of(0.0));
        for (int i = 1; i < moments.size(); i++) {
            double gap = (moments.get(i) - moments.get(i - 1)) / SHORT_NANOS;
            raw.add(raw.get(i - 1) + MIN_GAP + TENFOLD_GAP * Math.log10(1 + gap));
        }
        double length = raw.get(raw.size() - 1);
        double wanted = Math.min(WIDEST, Math.max(NARROWEST, length));
        return raw.stream()
                .map(place -> LEFT + (length == 0 ? 0 : place * wanted / length))
                .toList();
    }

    private static List<Integer> bands(CounterExample example) {
        List<Integer> clients = Stream.concat(
                        example.events().stream().map(Event::process),
                        example.commands().stream().map(CommandRecord::process))
                .filter(process -> process > 0)
                .distinct()
                .sorted()
                .toList();
        List<Integer> all = new ArrayList<>(clients);
        boolean server =
                !example.commands().isEmpty() || example.events().stream().anyMatch(event -> event.process() == 0);
        if (server) {
            all.add((clients.size() + 1) / 2, 0);
        }
        return List.copyOf(all);
    }

    /** Returns the right edge of the picture. */
    double width() {
        return end() + RIGHT;
    }

    /** Returns the position of the last event, up to which open intervals are drawn. */
    double end() {
        return places.get(places.size() - 1) + 12;
    }

    double x(long nanos) {
        int next = 0;
        while (next < moments.size() && moments.get(next) < nanos) {
            next++;
        }
        if (next == moments.size()) {
            return end();
        }
        if (next == 0 || moments.get(next).longValue() == nanos) {
            return places.get(next);
        }
        double part = (nanos - moments.get(next - 1)) / (double) (moments.get(next) - moments.get(next - 1));
        return places.get(next - 1) + part * (places.get(next) - places.get(next - 1));
    }

    int y(int process) {
        return top + processes.indexOf(process) * BAND + BAND / 2;
    }

    /** Returns the direction from a client to the server: 1 down, -1 up. */
    int towardsServer(int process) {
        return Integer.signum(processes.indexOf(0) - processes.indexOf(process));
    }

    int bottom() {
        return top + processes.size() * BAND;
    }
}
