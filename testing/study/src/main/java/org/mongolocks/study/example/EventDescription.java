package org.mongolocks.study.example;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mongolocks.study.history.CommandRecord;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/**
 * The description of an event or a command for readers.
 *
 * @param label its label in the picture: numbers for events, letters for commands
 * @param atNanos when it happened or was sent
 * @param text the process, the operation, and its result
 */
public record EventDescription(String label, long atNanos, String text) {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int LETTERS = 26;
    private static final Pattern DURATION = Pattern.compile("PT(-?[0-9.]+[HMS])+");

    /**
     * Describes events and commands.
     *
     * @param events events, in order
     * @param commands commands, in order
     * @return a line for each, in the order of time
     */
    public static List<EventDescription> all(List<Event> events, List<CommandRecord> commands) {
        Stream<EventDescription> ofEvents = IntStream.range(0, events.size())
                .mapToObj(i -> new EventDescription(number(i), events.get(i).atNanos(), text(events.get(i))));
        Stream<EventDescription> ofCommands = IntStream.range(0, commands.size())
                .mapToObj(i -> new EventDescription(
                        letters(i), commands.get(i).sentNanos(), CommandDescription.text(commands.get(i))));
        return Stream.concat(ofEvents, ofCommands)
                .sorted(Comparator.comparingLong(EventDescription::atNanos))
                .toList();
    }

    /**
     * Returns the label of an event.
     *
     * @param index its index among the events
     * @return a number, starting at 1
     */
    public static String number(int index) {
        return Integer.toString(index + 1);
    }

    /**
     * Returns the label of a command.
     *
     * @param index its index among the commands
     * @return letters: a to z, then aa and so on
     */
    public static String letters(int index) {
        String last = Character.toString('a' + index % LETTERS);
        return index < LETTERS ? last : letters(index / LETTERS - 1) + last;
    }

    /**
     * Returns the description as a line.
     *
     * @return the time and the text
     */
    public String line() {
        return String.format(Locale.ROOT, "%10.3f s  %s", atNanos / NANOS_PER_SECOND, text)
                .stripTrailing();
    }

    boolean isAt(long nanos) {
        return atNanos == nanos;
    }

    EventDescription marked(String mark) {
        return new EventDescription(label, atNanos, text.stripTrailing() + mark);
    }

    /**
     * Returns the name of a process.
     *
     * @param process its number
     * @return its name for readers
     */
    public static String who(int process) {
        return process == 0 ? "server" : "client " + process;
    }

    /**
     * Returns a time for readers.
     *
     * @return seconds with three decimals
     */
    public static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.3f s", nanos / NANOS_PER_SECOND);
    }

    private static String text(Event event) {
        return String.format(
                Locale.ROOT, "%-9s %-18s %-6s %s", who(event.process()), event.op(), event.phase(), details(event));
    }

    private static String details(Event event) {
        boolean grants = event.is(Op.ACQUIRE, Phase.OK) || event.is(Op.RENEW, Phase.OK);
        String lease = grants && event.untilNanos() < Long.MAX_VALUE ? " until " + seconds(event.untilNanos()) : "";
        String grant =
                event.grant() == 0 ? "" : "#" + event.grant() + (event.lock() == 0 ? "" : " lock " + event.lock());
        String token = event.token() == 0 ? "" : " token " + event.token();
        return (grant + token + lease + " " + plain(event.note())).strip();
    }

    /** Replaces ISO durations in a note by readable ones. */
    private static String plain(String note) {
        return DURATION.matcher(note)
                .replaceAll(found -> String.format(
                        Locale.ROOT, "%.1f s", Duration.parse(found.group()).toNanos() / NANOS_PER_SECOND));
    }
}
