package org.mongolocks.benchmarks.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.mongolocks.benchmarks.page.Circumstances.Machine;

/** The section with the conditions of a run: server, machine, and the command that repeats it. */
final class CircumstancesSection {
    private static final double GIBI = 1024.0 * 1024 * 1024;

    private final Circumstances run;

    CircumstancesSection(Circumstances run) {
        this.run = run;
    }

    Tag html() {
        List<Tag> facts = new ArrayList<>();
        facts.addAll(fact("Server", Tag.of("span", run.server().words())));
        facts.addAll(fact("Client", Tag.of("span", machine(run.machine()))));
        facts.addAll(fact("When", Tag.of("span", when(run))));
        facts.addAll(fact("Again", Tag.of("code", run.command())));
        facts.addAll(fact("Raw", Tag.of("a", "results.json").with("href", "results.json")));
        return Tag.of("dl", facts).with("class", "facts");
    }

    private static List<Tag> fact(String name, Tag value) {
        return List.of(Tag.of("dt", name), Tag.of("dd", value));
    }

    private static String machine(Machine machine) {
        return machine.cpus() + " processors, "
                + machine.memoryBytes()
                        .map(bytes -> Quantity.number(bytes / GIBI) + " GiB, ")
                        .orElse("")
                + machine.os() + ", " + machine.jvm()
                + machine.loadAverage()
                        .map(load -> String.format(Locale.ROOT, ", load before the run %.2f", load))
                        .orElse("");
    }

    private static String when(Circumstances run) {
        return run.startedAt().replaceFirst("T(\\d\\d:\\d\\d).*", " $1 UTC") + ", " + run.mode() + " run of "
                + Quantity.number(run.elapsedSeconds()) + " s";
    }
}
