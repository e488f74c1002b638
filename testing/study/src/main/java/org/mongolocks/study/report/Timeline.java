package org.mongolocks.study.report;

import static org.mongolocks.study.history.CommandRecord.NEVER;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.mongolocks.reporting.Json;
import org.mongolocks.study.check.Violation;
import org.mongolocks.study.example.CommandDescription;
import org.mongolocks.study.example.CounterExample;
import org.mongolocks.study.example.EventDescription;
import org.mongolocks.study.history.CommandRecord;
import org.mongolocks.study.history.CommandRecord.Loss;
import org.mongolocks.study.history.CommandRecord.Way;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/**
 * The picture of a counter-example: a band for each client and one for the server, with leases, holds, commands, requests
 * and replies, faults, and the moment of the conflict. The script of the page draws it.
 */
final class Timeline {
    private static final Map<String, String> SHORT =
            Map.of("findAndModify", "findAndMod.", "commitTransaction", "commit", "abortTransaction", "abort");

    private final CounterExample example;
    private final Map<Long, String> conflicts;
    private final List<Integer> processes;

    /** Takes an example with all violations that it shows. */
    Timeline(CounterExample example, List<Violation> violations) {
        this.example = example;
        this.conflicts = violations.stream()
                .collect(Collectors.toMap(
                        Violation::atNanos,
                        violation -> violation.finding().words(),
                        (one, other) -> one + ", " + other,
                        TreeMap::new));
        this.processes = processes(example);
    }

    /** Returns the processes with a band, from the top; the server is in the middle. */
    private static List<Integer> processes(CounterExample example) {
        List<Integer> all = Stream.concat(
                        example.events().stream().map(Event::process),
                        example.commands().stream().map(CommandRecord::process))
                .distinct()
                .sorted()
                .collect(Collectors.toCollection(ArrayList::new));
        if (all.remove((Object) 0) || !example.commands().isEmpty()) {
            all.add((all.size() + 1) / 2, 0);
        }
        return all;
    }

    /** Returns the conflicts in words. */
    String description() {
        return conflicts.entrySet().stream()
                .map(conflict -> conflict.getValue() + " at " + EventDescription.seconds(conflict.getKey()))
                .collect(Collectors.joining("; "));
    }

    /** Returns the data of the picture. All times are nanoseconds; a bar without an end is open. */
    Document data() {
        return new Document(
                        "processes",
                        processes.stream().map(EventDescription::who).toList())
                .append("moments", moments())
                .append("bars", Stream.concat(holds(), pauses()).toList())
                .append("messages", commands((command, label) -> messages(command, label)))
                .append("commands", commands((command, label) -> Stream.of(label(command, label))))
                .append(
                        "events",
                        IntStream.range(0, example.events().size())
                                .mapToObj(this::event)
                                .toList())
                .append(
                        "conflicts",
                        conflicts.entrySet().stream()
                                .map(conflict ->
                                        new Document("at", conflict.getKey()).append("words", conflict.getValue()))
                                .toList());
    }

    String json() {
        return Json.inline(data());
    }

    private List<Long> moments() {
        return Stream.of(
                        example.events().stream().mapToLong(Event::atNanos),
                        conflicts.keySet().stream().mapToLong(Long::longValue),
                        example.commands().stream().flatMapToLong(CommandRecord::moments))
                .flatMapToLong(times -> times)
                .sorted()
                .distinct()
                .boxed()
                .toList();
    }

    private Document at(int process) {
        return new Document("band", processes.indexOf(process));
    }

    /** Returns a lease and its hold: from the grant to the release or the crash; the lease may end before or after that. */
    private Stream<Document> holds() {
        return events(event -> event.is(Op.ACQUIRE, Phase.OK)).flatMap(granted -> {
            String whose = granted.grant() == example.violation().first()
                    ? "first"
                    : granted.grant() == example.violation().second() ? "second" : "other";
            String label = "#" + granted.grant() + (granted.token() > 0 ? " token " + granted.token() : "");
            LongStream leaseEnds = events(event -> event.grant() == granted.grant())
                    .filter(event -> event.is(Op.ACQUIRE, Phase.OK) || event.is(Op.RENEW, Phase.OK))
                    .mapToLong(Event::untilNanos);
            LongStream holdEnds = events(
                            event -> event.atNanos() >= granted.atNanos() && event.process() == granted.process())
                    .filter(event -> event.op() == Op.CRASH
                            || (event.grant() == granted.grant() && event.is(Op.RELEASE, Phase.INVOKE)))
                    .mapToLong(Event::atNanos);
            return Stream.of(
                    bar(
                                    "lease",
                                    granted.process(),
                                    granted.fromNanos(),
                                    leaseEnds.max().orElse(Long.MAX_VALUE))
                            .append("whose", whose),
                    bar(
                                    "hold",
                                    granted.process(),
                                    granted.atNanos(),
                                    holdEnds.min().orElse(Long.MAX_VALUE))
                            .append("whose", whose)
                            .append("label", label));
        });
    }

    private Stream<Document> pauses() {
        return events(event -> event.is(Op.PAUSE, Phase.INVOKE))
                .map(pause -> bar(
                        "pause",
                        pause.process(),
                        pause.atNanos(),
                        events(event -> event.process() == pause.process() && event.is(Op.PAUSE, Phase.OK))
                                .mapToLong(Event::atNanos)
                                .filter(at -> at > pause.atNanos())
                                .min()
                                .orElse(Long.MAX_VALUE)));
    }

    private Stream<Event> events(Predicate<Event> wanted) {
        return example.events().stream().filter(wanted);
    }

    private Document bar(String kind, int process, long from, long until) {
        Document bar = at(process).append("kind", kind).append("from", from);
        return until == Long.MAX_VALUE ? bar : bar.append("until", until);
    }

    private interface Drawing {
        Stream<Document> of(CommandRecord command, String label);
    }

    private List<Document> commands(Drawing drawing) {
        List<CommandRecord> commands = example.commands();
        return IntStream.range(0, commands.size())
                .boxed()
                .flatMap(i -> drawing.of(commands.get(i), EventDescription.letters(i)))
                .toList();
    }

    private Document label(CommandRecord command, String letters) {
        String name = SHORT.getOrDefault(command.name(), command.name());
        return at(command.process())
                .append("at", command.sentNanos())
                .append("label", letters)
                .append("whole", letters + " " + name + (command.sending() > 1 ? " again" : ""));
    }

    /** Returns the request and the reply. One without an arrival was lost on its way; a crash loses it on the server. */
    private Stream<Document> messages(CommandRecord command, String letters) {
        Way way = command.way();
        List<Document> messages = new ArrayList<>();
        String title = letters + " " + CommandDescription.shortly(command);
        if (way.loss() == Loss.REQUEST || way.executedNanos() != NEVER) {
            long arrived = way.loss() == Loss.REQUEST ? NEVER : way.executedNanos();
            messages.add(message("ask", command, way.sentNanos(), arrived).append("title", title));
        }
        if (way.loss() == Loss.SERVER && way.executedNanos() != NEVER) {
            messages.add(message("crash", command, way.executedNanos(), NEVER).append("title", title));
        } else if (way.repliedNanos() != NEVER) {
            messages.add(message("reply", command, way.repliedNanos(), way.receivedNanos())
                    .append("title", title));
        }
        return messages.stream();
    }

    private Document message(String kind, CommandRecord command, long sent, long arrived) {
        Document message = at(command.process()).append("kind", kind).append("sent", sent);
        return arrived == NEVER ? message : message.append("arrived", arrived);
    }

    private Document event(int index) {
        Event event = example.events().get(index);
        boolean isFault = event.op() == Op.CRASH
                || event.op() == Op.PAUSE
                || event.op() == Op.FAULT
                || event.op() == Op.DISCARDED;
        String kind = isFault ? "fault" : event.phase() == Phase.INVOKE ? "asked" : "answered";
        String number = EventDescription.number(index);
        return at(event.process())
                .append("at", event.atNanos())
                .append("kind", kind)
                .append("label", number)
                .append("whole", number);
    }
}
