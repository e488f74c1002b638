package org.mongolocks.benchmarks.report.html;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.chart.ContenderStyles;
import org.mongolocks.benchmarks.report.choice.Answer;
import org.mongolocks.benchmarks.report.choice.Choice;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.html.HtmlElement;

/** The choice at the top of the page: what to take and why, how the others differ, and what to take for each need. */
final class RecommendationSection {
    private static final String RULE =
            "Two strategies differ clearly if the ratio of their times, compared round by round, is more than 2 % from 1,"
                    + " and so far that an interval twice as wide as that of 95 % does not contain 1; counts, if they are"
                    + " more than 2 % apart.";

    private final Choice choice;
    private final ContenderStyles styles;

    RecommendationSection(Choice choice, ContenderStyles styles) {
        this.choice = choice;
        this.styles = styles;
    }

    HtmlElement html() {
        return HtmlElement.of(
                        "section",
                        HtmlElement.of("p", choice.headline()).with("class", "advice"),
                        differences(),
                        choice.notes().stream()
                                .map(note -> HtmlElement.of("p", note))
                                .toList(),
                        HtmlElement.of("h2", "By need"),
                        answers(),
                        HtmlElement.of("p", RULE).with("class", "remark"))
                .with("id", "answer");
    }

    private List<HtmlElement> differences() {
        Map<String, String> differences = choice.differences();
        return differences.isEmpty()
                ? List.of()
                : List.of(
                        HtmlElement.of("p", "Clearly different from it in this run:"),
                        HtmlElement.of(
                                "ul",
                                differences.entrySet().stream()
                                        .map(other -> HtmlElement.of(
                                                "li",
                                                name(other.getKey()),
                                                HtmlElement.of("span", ": " + other.getValue())))
                                        .toList()));
    }

    private HtmlElement answers() {
        List<HtmlElement> head = Stream.of("You need", "Take", "Because")
                .map(name -> HtmlElement.of("th", name).with("scope", "col"))
                .toList();
        return HtmlElement.of(
                        "table",
                        HtmlElement.of("thead", HtmlElement.of("tr", head)),
                        HtmlElement.of(
                                "tbody", choice.table().stream().map(this::row).toList()))
                .with("class", "answers");
    }

    private HtmlElement row(Answer answer) {
        String client = answer.client() == Client.SYNC ? "" : ", with the reactive client";
        return HtmlElement.of(
                "tr",
                HtmlElement.of("th", answer.need().title() + client).with("scope", "row"),
                HtmlElement.of("td", answer.take().map(this::name).orElseGet(() -> HtmlElement.of("em", "none"))),
                HtmlElement.of("td", answer.why()));
    }

    private HtmlElement name(String id) {
        return styles.isKnown(id)
                ? HtmlElement.of("strong", styles.style(id).sample(), styles.title(id))
                : HtmlElement.of("strong", id);
    }
}
