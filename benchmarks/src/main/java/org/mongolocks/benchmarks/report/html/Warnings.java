package org.mongolocks.benchmarks.report.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.html.RunConditions.Machine;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.MeasurementStatus.Status;
import org.mongolocks.html.HtmlElement;

/** The warnings before the charts: reasons not to trust the figures of a run. */
final class Warnings {
    private final Results results;

    Warnings(Results results) {
        this.results = results;
    }

    List<HtmlElement> html() {
        List<String> warnings = warnings();
        if (warnings.isEmpty()) {
            return List.of();
        }
        HtmlElement list = HtmlElement.of(
                "ul",
                warnings.stream().map(warning -> HtmlElement.of("li", warning)).toList());
        return List.of(HtmlElement.of("aside", HtmlElement.of("strong", "Read these figures with care"), list)
                .with("class", "warning")
                .with("aria-label", "Warning"));
    }

    private List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        results.with(Status.VOID).map(Warnings::voided).forEach(warnings::add);
        results.contenders().stream().flatMap(Warnings::failed).forEach(warnings::add);
        RunConditions run = results.conditions();
        if (run.machine().wasBusy()) {
            warnings.add(busy(run.machine()));
        }
        return warnings;
    }

    private static String voided(LockUnderTest one) {
        return "Void: " + one.title() + " let more than one hold a lock"
                + one.verdict().reason().map(reason -> " (" + reason + ")").orElse("")
                + ". Its figures count for nothing.";
    }

    private static Stream<String> failed(LockUnderTest one) {
        return one.verdict().failures().stream()
                .map(failure -> "Failed: " + one.title() + " in " + failure.benchmark() + " (" + failure.reason()
                        + "). It has no figures there.");
    }

    private static String busy(Machine machine) {
        return String.format(
                Locale.ROOT,
                "The machine was busy before the run began: load %.2f with %d processors.",
                machine.loadAverage().orElse(0.0),
                machine.cpus());
    }
}
