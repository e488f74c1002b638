package org.mongolocks.benchmarks.report;

import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.Report.Machine;
import org.mongolocks.benchmarks.report.chart.QuantityFormat;
import org.mongolocks.benchmarks.report.choice.Answer;
import org.mongolocks.benchmarks.report.choice.Choice;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.MeasurementStatus.Why;
import org.mongolocks.reporting.Paragraph;

/** A printed report of a run: the choice first, then what it rests on. */
public final class TextReport {
    private static final int WIDTH = 110;

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
        section(Stream.concat(Stream.of(console.bold(wrapped(choice.headline()))), beside()));
        section(Stream.of(needs().toString()));
        section(Stream.of(costs().toString(), wrapped(CostTable.LEGEND)));
        section(Stream.concat(
                Stream.of(report.server().line(), machine()), remarks().map(TextReport::wrapped)));
    }

    private Stream<String> beside() {
        TextTable table = TextTable.ofWords("", "");
        choice.differences().forEach((other, words) -> table.row("  " + other, words));
        Stream<String> differing = choice.differences().isEmpty()
                ? Stream.of()
                : Stream.of("Clearly different from it in this run:", table.body());
        Stream<String> notes = Stream.concat(report.machine().busy().stream(), choice.notes().stream());
        return Stream.concat(differing, notes.map(TextReport::wrapped));
    }

    private TextTable needs() {
        TextTable table = TextTable.ofWords("you need", "take", "because");
        choice.table().forEach(answer -> table.row(need(answer), answer.take().orElse("none"), answer.why()));
        return table;
    }

    private static String need(Answer answer) {
        return answer.need().title() + (answer.client() == Client.SYNC ? "" : " (reactive client)");
    }

    private TextTable costs() {
        TextTable table = TextTable.ofWords(CostTable.COLUMNS.toArray(String[]::new));
        new CostTable(report.run(), choice)
                .rows()
                .forEach(row -> table.row(Stream.concat(Stream.of(row.lock().id()), row.cells().stream())
                        .toArray(String[]::new)));
        return table;
    }

    private void section(Stream<String> parts) {
        parts.forEach(part -> console.out().println(part.stripTrailing()));
        console.out().println();
    }

    private static String wrapped(String sentence) {
        return Paragraph.of(sentence, WIDTH, "");
    }

    private String machine() {
        Machine machine = report.machine();
        String load = machine.loadAverage() < 0
                ? ""
                : ", load before the run " + QuantityFormat.fixed(machine.loadAverage(), 1);
        return "Client: " + machine.cpus() + " CPUs, " + machine.os() + ", " + machine.jvm() + load;
    }

    /** Returns the remarks. Those on failed strategies are among the remarks of the benchmarks. */
    private Stream<String> remarks() {
        Stream<String> unmeasured = report.summary().strategies().stream()
                .flatMap(strategy -> strategy.obstacle().stream()
                        .filter(obstacle -> obstacle.why() != Why.FAILED)
                        .map(obstacle -> strategy.name() + ": " + obstacle.reason()));
        return Stream.concat(report.findings().remarks().stream(), unmeasured);
    }
}
