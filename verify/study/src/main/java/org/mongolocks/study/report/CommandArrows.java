package org.mongolocks.study.report;

import static org.mongolocks.html.HtmlElement.escaped;
import static org.mongolocks.study.history.CommandRecord.NEVER;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.mongolocks.study.check.CommandDescription;
import org.mongolocks.study.check.EventDescription;
import org.mongolocks.study.history.CommandRecord;
import org.mongolocks.study.history.CommandRecord.Loss;
import org.mongolocks.study.report.Path.Point;

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
}
