package org.mongolocks.benchmarks.report.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.mongolocks.benchmarks.report.chart.QuantityFormat;
import org.mongolocks.benchmarks.report.html.RunConditions.Machine;
import org.mongolocks.html.HtmlElement;

/** The section with the conditions of a run: server, machine, and the command that repeats it. */
final class RunConditionsSection {
    private static final double GIBI = 1024.0 * 1024 * 1024;

    private final RunConditions run;

    RunConditionsSection(RunConditions run) {
        this.run = run;
    }

    HtmlElement html() {
        List<HtmlElement> facts = new ArrayList<>();
        facts.addAll(fact("Server", HtmlElement.of("span", run.server().words())));
        facts.addAll(fact("Client", HtmlElement.of("span", machine(run.machine()))));
        facts.addAll(fact("When", HtmlElement.of("span", when(run))));
        facts.addAll(fact("Again", HtmlElement.of("code", run.command())));
        facts.addAll(fact("Raw", HtmlElement.of("a", "results.json").with("href", "results.json")));
        return HtmlElement.of("dl", facts).with("class", "facts");
    }

    private static List<HtmlElement> fact(String name, HtmlElement value) {
        return List.of(HtmlElement.of("dt", name), HtmlElement.of("dd", value));
    }

    private static String machine(Machine machine) {
        return machine.cpus() + " processors, "
                + machine.memoryBytes()
                        .map(bytes -> QuantityFormat.number(bytes / GIBI) + " GiB, ")
                        .orElse("")
                + machine.os() + ", " + machine.jvm()
                + machine.loadAverage()
                        .map(load -> String.format(Locale.ROOT, ", load before the run %.2f", load))
                        .orElse("");
    }

    private static String when(RunConditions run) {
        return run.startedAt().replaceFirst("T(\\d\\d:\\d\\d).*", " $1 UTC") + ", " + run.mode() + " run of "
                + QuantityFormat.number(run.elapsedSeconds()) + " s";
    }
}
