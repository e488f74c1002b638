package org.mongolocks.benchmarks.report.html;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.chart.ContenderStyles;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.result.MeasurementStatus.Failure;
import org.mongolocks.html.HtmlElement;

/** The section with the guarantees of each contender, so that none is judged by speed alone. */
final class ContenderSection {
    private static final List<String> COLUMNS = List.of(
            "",
            "what is safe when it grants",
            "fencing",
            "only the owner releases",
            "whose clock",
            "waiting",
            "safe to repeat",
            "in this run");

    private static final String TITLE = "What each promises";
    private static final String CAUTION =
            "A lock that promises less may well be faster. Baselines are raw commands, and no locks.";

    private final ContenderStyles styles;

    ContenderSection(ContenderStyles styles) {
        this.styles = styles;
    }

    HtmlElement html() {
        return HtmlElement.of(
                        "section",
                        HtmlElement.of("h2", TITLE),
                        HtmlElement.of("p", CAUTION),
                        HtmlElement.framed(TITLE, table()))
                .with("id", "promises");
    }

    private HtmlElement table() {
        List<HtmlElement> head = COLUMNS.stream()
                .map(name -> HtmlElement.of("th", name).with("scope", "col"))
                .toList();
        List<HtmlElement> rows = Stream.of(Kind.STRATEGY, Kind.PEER, Kind.BASELINE)
                .flatMap(kind -> styles.inOrder().stream().filter(one -> one.kind() == kind))
                .map(one -> HtmlElement.of("tr", name(one), cells(one)))
                .toList();
        return HtmlElement.of(
                "table", HtmlElement.of("thead", HtmlElement.of("tr", head)), HtmlElement.of("tbody", rows));
    }

    private HtmlElement name(LockUnderTest one) {
        HtmlElement kind = HtmlElement.of("small", one.kind().id());
        return HtmlElement.of("th", styles.style(one.id()).sample(), styles.title(one.id()), kind)
                .with("scope", "row");
    }

    private static List<HtmlElement> cells(LockUnderTest one) {
        Properties its = one.properties();
        return Stream.of(
                        its.durability(),
                        its.fencing(),
                        its.ownerCheck(),
                        its.clock(),
                        its.waiting(),
                        its.retrySafe(),
                        verdict(one.verdict()))
                .map(ContenderSection::cell)
                .toList();
    }

    private static String verdict(MeasurementStatus verdict) {
        String failures =
                verdict.failures().stream().map(Failure::benchmark).distinct().collect(Collectors.joining(", "));
        return verdict.status().id()
                + verdict.reason().map(words -> ": " + words).orElse("")
                + (failures.isEmpty() ? "" : "; failed in " + failures);
    }

    private static HtmlElement cell(String text) {
        return HtmlElement.of("td", text.isBlank() ? "–" : text);
    }
}
