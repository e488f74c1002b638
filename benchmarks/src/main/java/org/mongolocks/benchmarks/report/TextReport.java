package org.mongolocks.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.Choice.Need;
import org.mongolocks.benchmarks.report.Choice.RankedLock;
import org.mongolocks.benchmarks.report.Report.Machine;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.result.MeasurementStatus.Status;
import org.mongolocks.reporting.Paragraph;
import org.mongolocks.reporting.server.ServerDescription;
import org.mongolocks.spi.LockStrategy.Trait;

/** A printed report of a run: the choice first, then each need with all locks, then what each lock promises. */
public final class TextReport {
    private static final int WIDTH = 110;
    private static final String NONE = "–";
    private static final String LEGEND =
            "Figures of the synchronous client. In brackets the rank: one more than the number of strategies that are"
                    + " clearly better; those of one rank do not differ clearly. Time alone: to acquire and release one free"
                    + " lock; \"times the choice\" the same in the rounds in which both ran, if that differs clearly."
                    + " Contended: grants to the most waiters. Commands and bytes: of a grant and its release. –: no figure,"
                    + " or no clear difference. A lock that promises less may well be faster.";

    private final Report report;
    private final Choice choice;
    private final Console console;

    private TextReport(Report report, Console console) {
        this.report = report;
        this.choice = report.choice();
        this.console = console;
    }

    /** Prints a report. */
    public static void print(Report report, Console console) {
        new TextReport(report, console).print();
    }

    private void print() {
        List<String> advice = choice.advice();
        section(Stream.concat(
                Stream.of(console.bold(wrapped(advice.get(0)))),
                advice.stream().skip(1).map(TextReport::wrapped)));
        section(Stream.of(figures().toString(), wrapped(LEGEND)));
        section(Stream.of(promises().toString()));
        section(Stream.concat(
                Stream.of(server(), machine()),
                report.findings().remarks().stream().map(TextReport::wrapped)));
    }

    private TextTable figures() {
        List<Need> needs = choice.needs().stream()
                .filter(need -> need.client() == Client.SYNC)
                .toList();
        List<String> columns = new ArrayList<>(List.of("lock"));
        needs.forEach(need -> columns.add(need.need()));
        boolean isAloneKnown = columns.contains(Criterion.ALONE.title());
        if (isAloneKnown) {
            columns.add(2, "times the choice");
        }
        TextTable table = TextTable.ofWords(columns.toArray(String[]::new));
        locks(true).forEach(lock -> {
            List<String> cells = new ArrayList<>(List.of(lock.id()));
            needs.forEach(
                    need -> cells.add(ranked(need, lock).map(TextReport::cell).orElse(NONE)));
            if (isAloneKnown) {
                cells.add(2, beside(needs.get(0), lock));
            }
            table.row(cells.toArray(String[]::new));
        });
        locks(false)
                .forEach(lock -> table.row(
                        lock.id(),
                        lock.verdict().status().id()
                                + lock.verdict()
                                        .reason()
                                        .map(reason -> ": " + reason)
                                        .orElse("")));
        return table;
    }

    private static Optional<RankedLock> ranked(Need need, LockUnderTest lock) {
        return need.order().stream()
                .filter(ranked -> ranked.contender().equals(lock.id()))
                .findFirst();
    }

    private static String cell(RankedLock ranked) {
        String figure = QuantityFormat.of(ranked.value(), ranked.unit().replaceFirst("/(grant|op)$", ""));
        return figure.replace(" commands", "")
                + ranked.rank().map(rank -> " (" + rank + ")").orElse("");
    }

    private String beside(Need alone, LockUnderTest lock) {
        return choice.strategy().filter(lock.id()::equals).isPresent()
                ? "1, the choice"
                : ranked(alone, lock)
                        .flatMap(RankedLock::times)
                        .map(times -> QuantityFormat.fixed(times, 2))
                        .orElse(NONE);
    }

    private TextTable promises() {
        TextTable table = TextTable.ofWords(
                "lock", "fencing tokens", "clock", "transactions", "durable when granted", "released by");
        locks(true).forEach(lock -> {
            Properties its = lock.properties();
            table.row(Stream.of(
                            lock.id(),
                            its.fencing(),
                            its.clock(),
                            transactions(lock),
                            its.durability(),
                            its.ownerCheck())
                    .map(cell -> cell.isBlank() ? NONE : cell)
                    .toArray(String[]::new));
        });
        return table;
    }

    private static String transactions(LockUnderTest lock) {
        String several = lock.traits().contains(Trait.MULTI_LOCK.name()) ? "; several locks at once" : "";
        return lock.traits().contains(Trait.NEEDS_TRANSACTIONS.name()) ? "needs them" + several : NONE;
    }

    /** Returns the strategies and the locks of other libraries that were measured, or those that were not. */
    private Stream<LockUnderTest> locks(boolean isMeasured) {
        return Stream.of(Kind.STRATEGY, Kind.PEER)
                .flatMap(kind -> report.findings().contenders().stream()
                        .filter(one -> one.kind() == kind)
                        .filter(one -> (one.verdict().status() == Status.MEASURED) == isMeasured));
    }

    private void section(Stream<String> parts) {
        parts.forEach(part -> console.out().println(part.stripTrailing()));
        console.out().println();
    }

    private static String wrapped(String sentence) {
        return Paragraph.of(sentence, WIDTH, "");
    }

    private String server() {
        return "Server: " + report.server().words()
                + (report.server().kind() == ServerDescription.Kind.EMBEDDED
                        ? " - figures compare strategies, they are not those of a real server"
                        : "");
    }

    private String machine() {
        Machine machine = report.machine();
        String load = machine.loadAverage() < 0
                ? ""
                : ", load before the run " + QuantityFormat.fixed(machine.loadAverage(), 1);
        return "Client: " + machine.cpus() + " CPUs, " + machine.os() + ", " + machine.jvm() + load;
    }
}
