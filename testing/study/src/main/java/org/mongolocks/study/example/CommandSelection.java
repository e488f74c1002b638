package org.mongolocks.study.example;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.CommandRecord;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;

/**
 * Selects the commands of a counter-example: those of its grants, in its time span. Of a long series of contended
 * attempts it keeps the first and the last, and those that met a fault.
 */
final class CommandSelection {
    private static final int FIRST = 3;
    private static final int LAST = 7;
    private static final int SUSPECTS = 2;
    private static final Set<Finding> LATE = Set.of(Finding.LEAK, Finding.HELD_BY_NOBODY);
    private static final Set<String> CHANGES = Set.of("insert", "update", "findAndModify", "delete");

    private CommandSelection() {}

    static List<CommandRecord> of(CounterExample example, List<CommandRecord> ofRun) {
        Set<Integer> grants = example.events().stream()
                .map(Event::grant)
                .filter(grant -> grant > 0)
                .collect(Collectors.toSet());
        Set<Integer> probers = example.events().stream()
                .filter(event -> event.op() == Op.PROBE)
                .map(Event::process)
                .collect(Collectors.toSet());
        List<CommandRecord> suspects = suspects(example, ofRun);
        return ofRun.stream()
                .filter(command -> command.grant() > 0)
                .filter(command -> suspects.contains(command)
                        || (isMeanwhile(command, example)
                                && (grants.contains(command.grant()) || probers.contains(command.process()))))
                .collect(Collectors.groupingBy(CommandRecord::grant, TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .flatMap(CommandSelection::shortened)
                .sorted(Comparator.comparingLong(CommandRecord::sentNanos))
                .toList();
    }

    /**
     * Returns commands that reached the server late and changed something: they may have acquired a lock that no client
     * holds.
     */
    private static List<CommandRecord> suspects(CounterExample example, List<CommandRecord> ofRun) {
        List<CommandRecord> late = ofRun.stream()
                .filter(command -> LATE.contains(example.violation().finding()) && command.isLate())
                .filter(command ->
                        CHANGES.contains(command.name()) && !command.result().startsWith("error"))
                .filter(command -> isMeanwhile(command, example) || isBefore(command, example))
                .sorted(Comparator.comparingLong(command -> command.way().executedNanos()))
                .toList();
        return late.subList(Math.max(0, late.size() - SUSPECTS), late.size());
    }

    /** Returns whether a command could have caused the contention: it was executed before. */
    private static boolean isBefore(CommandRecord command, CounterExample example) {
        return example.violation().finding() == Finding.HELD_BY_NOBODY
                && command.way().executedNanos() <= example.violation().atNanos();
    }

    private static boolean isMeanwhile(CommandRecord command, CounterExample example) {
        long from = example.events().stream().mapToLong(Event::atNanos).min().orElse(0);
        long last = example.events().stream().mapToLong(Event::atNanos).max().orElse(0);
        return command.sentNanos() >= from
                && command.sentNanos() <= Math.max(last, example.violation().atNanos());
    }

    private static Stream<CommandRecord> shortened(List<CommandRecord> ofGrant) {
        return IntStream.range(0, ofGrant.size())
                .filter(i -> i < FIRST
                        || i >= ofGrant.size() - LAST
                        || !ofGrant.get(i).isPlain())
                .mapToObj(ofGrant::get);
    }
}
