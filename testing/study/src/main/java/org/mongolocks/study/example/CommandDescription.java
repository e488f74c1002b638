package org.mongolocks.study.example;

import static org.mongolocks.study.history.CommandRecord.NEVER;

import java.util.Locale;
import org.mongolocks.study.history.CommandRecord;
import org.mongolocks.study.history.CommandRecord.Loss;

/** The description of a command for readers: the command and its result. */
public final class CommandDescription {
    private CommandDescription() {}

    static String text(CommandRecord command) {
        return String.format(Locale.ROOT, "%-9s -> %s", EventDescription.who(command.process()), of(command));
    }

    /**
     * Describes a command without its client.
     *
     * @return its name, its filter, and its result
     */
    public static String of(CommandRecord command) {
        String again = command.sending() > 1 ? " (sent again, time " + command.sending() + ")" : "";
        return (command.name() + " " + command.about()).strip() + again + ": " + way(command);
    }

    /**
     * Describes a command briefly.
     *
     * @return its name and its result, without times
     */
    public static String shortly(CommandRecord command) {
        CommandRecord.Way way = command.way();
        String end = command.result().isEmpty() ? "not answered" : command.result();
        return command.name()
                + switch (way.loss()) {
                    case REQUEST -> ": lost";
                    case REPLY -> ": reply lost (" + end + ")";
                    case SERVER -> ": the server was gone";
                    case NONE -> (command.isLate() ? ": late, " : ": ") + end;
                };
    }

    private static String way(CommandRecord command) {
        CommandRecord.Way way = command.way();
        if (way.executedNanos() == NEVER) {
            return way.loss() == Loss.REQUEST ? "lost before it reached the server" : "still on its way";
        }
        if (way.loss() == Loss.SERVER) {
            return "reached at " + EventDescription.seconds(way.executedNanos())
                    + " a server that was gone, or went away before it replied";
        }
        String late = command.isLate() ? "arrived late, when the client had given it up; " : "";
        return late + "executed at " + EventDescription.seconds(way.executedNanos()) + ending(command);
    }

    private static String ending(CommandRecord command) {
        CommandRecord.Way way = command.way();
        if (way.repliedNanos() == NEVER) {
            return ", and not answered";
        }
        String result = command.result().isEmpty() ? "" : " (" + command.result() + ")";
        if (way.loss() == Loss.REPLY) {
            return result + ", and the reply was lost";
        }
        if (way.receivedNanos() == NEVER) {
            return result + ", and the reply was not received";
        }
        boolean tooLate = way.givenUpNanos() != NEVER && way.givenUpNanos() < way.receivedNanos();
        return ", answered at " + EventDescription.seconds(way.receivedNanos()) + result
                + (tooLate ? ", too late" : "");
    }
}
