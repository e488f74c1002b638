package org.mongolocks.study.report;

import static org.mongolocks.html.HtmlElement.escaped;
import static org.mongolocks.html.HtmlElement.number;
import static org.mongolocks.study.history.CommandRecord.NEVER;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.mongolocks.html.HtmlElement;
import org.mongolocks.study.example.CommandDescription;
import org.mongolocks.study.example.EventDescription;
import org.mongolocks.study.history.CommandRecord;
import org.mongolocks.study.history.CommandRecord.Loss;
import org.mongolocks.study.report.CommandArrows.Path.Point;

/** Draws commands: an arrow to the server, a dashed one back, and a cross where a message was lost. */
final class CommandArrows {
    /** The distance of an arrow's ends from the middle of a client's band. */
    private static final int EDGE = 15;

    private static final int LABEL = 38;
    private static final Map<String, String> SHORT =
            Map.of("findAndModify", "findAndMod.", "commitTransaction", "commit", "abortTransaction", "abort");

    private final Axis axis;
    private final List<CommandRecord> commands;

    CommandArrows(Axis axis, List<CommandRecord> commands) {
        this.axis = axis;
        this.commands = commands;
    }

    String svg() {
        return IntStream.range(0, commands.size())
                        .mapToObj(i -> command(commands.get(i), EventDescription.letters(i)))
                        .collect(Collectors.joining("\n"))
                + axis.processes().stream()
                        .filter(process -> process > 0)
                        .map(this::labels)
                        .collect(Collectors.joining());
    }

    private String command(CommandRecord command, String label) {
        Path path = new Path();
        request(command, path);
        reply(command, path);
        return "<g class=\"command\"><title>" + label + " " + escaped(CommandDescription.shortly(command)) + "</title>"
                + path.svg() + "</g>";
    }

    private void request(CommandRecord command, Path path) {
        Point from = client(command, command.sentNanos());
        if (command.way().loss() == Loss.REQUEST) {
            path.lost(path.ask, from, server(command.sentNanos()));
        } else if (command.executedNanos().isPresent()) {
            path.arrow(path.ask, from, server(command.executedNanos().getAsLong()));
        }
    }

    private void reply(CommandRecord command, Path path) {
        CommandRecord.Way way = command.way();
        if (way.loss() == Loss.SERVER && way.executedNanos() != NEVER) {
            path.cross(server(way.executedNanos()));
        } else if (way.repliedNanos() != NEVER && way.receivedNanos() != NEVER) {
            path.arrow(path.reply, server(way.repliedNanos()), client(command, way.receivedNanos()));
        } else if (way.repliedNanos() != NEVER) {
            path.lost(path.reply, server(way.repliedNanos()), client(command, way.repliedNanos()));
        }
    }

    private Point client(CommandRecord command, long nanos) {
        int y = axis.y(command.process()) + EDGE * axis.towardsServer(command.process());
        return new Point(axis.x(nanos), y);
    }

    private Point server(long nanos) {
        return new Point(axis.x(nanos), axis.y(0));
    }

    private String labels(int process) {
        TimelineLabels labels = new TimelineLabels();
        for (int i = 0; i < commands.size(); i++) {
            CommandRecord command = commands.get(i);
            if (command.process() == process) {
                String letters = EventDescription.letters(i);
                String again = command.sending() > 1 ? " again" : "";
                String name = SHORT.getOrDefault(command.name(), command.name());
                labels.add(axis.x(command.sentNanos()), letters, letters + " " + name + again);
            }
        }
        int away = LABEL * axis.towardsServer(process);
        return labels.at(axis.y(process) + away + 3, axis.width(), "letter");
    }

    /** The lines of one command in one SVG path, which keeps the number of elements small. */
    static final class Path {
        private static final double HEAD = 5;
        private static final double LOST_AFTER = 0.55;
        private static final double LOST_WIDTH = 8;

        final StringBuilder ask = new StringBuilder();
        final StringBuilder reply = new StringBuilder();
        private final StringBuilder heads = new StringBuilder();
        private final StringBuilder gone = new StringBuilder();

        /** A point of the picture. */
        record Point(double x, double y) {
            Point towards(Point other, double part) {
                return new Point(x + (other.x - x) * part, y + (other.y - y) * part);
            }

            double distance(Point other) {
                return Math.hypot(other.x - x, other.y - y);
            }

            @Override
            public String toString() {
                return number(x) + " " + number(y);
            }
        }

        void arrow(StringBuilder line, Point from, Point to) {
            double length = Math.max(1, from.distance(to));
            Point neck = to.towards(from, HEAD / length);
            double dx = (to.y - from.y) * HEAD / 2 / length;
            double dy = (from.x - to.x) * HEAD / 2 / length;
            line(line, from, neck);
            line(heads, to, new Point(neck.x + dx, neck.y + dy));
            heads.append("L").append(new Point(neck.x - dx, neck.y - dy)).append("z");
        }

        /** Draws a lost message: it ends on its way, a little to the right, because the time of its loss is unknown. */
        void lost(StringBuilder line, Point from, Point to) {
            Point end = from.towards(new Point(to.x + LOST_WIDTH / LOST_AFTER, to.y), LOST_AFTER);
            line(line, from, end);
            cross(end);
        }

        void cross(Point at) {
            gone.append("M").append(new Point(at.x - 4, at.y - 4)).append("l8 8m0-8l-8 8");
        }

        private static void line(StringBuilder to, Point from, Point end) {
            to.append("M").append(from).append("L").append(end);
        }

        String svg() {
            return path("ask", ask) + path("reply", reply) + path("head", heads) + path("gone", gone);
        }

        private static String path(String kind, StringBuilder line) {
            return line.isEmpty()
                    ? ""
                    : HtmlElement.of("path").with("class", kind).with("d", line).toString();
        }
    }
}
