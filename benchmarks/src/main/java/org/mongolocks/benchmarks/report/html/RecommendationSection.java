package org.mongolocks.benchmarks.report.html;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.mongolocks.benchmarks.report.chart.ContenderStyles;
import org.mongolocks.benchmarks.report.chart.QuantityFormat;
import org.mongolocks.benchmarks.report.choice.Answer;
import org.mongolocks.benchmarks.report.choice.BestChoice;
import org.mongolocks.benchmarks.report.choice.UseCase;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.html.HtmlElement;

/**
 * The recommendation section: the strategy for each use case by figures and traits, or the leaders and what would
 * decide between them.
 */
final class RecommendationSection {
    private static final String RULE =
            "Based on this run. All strategies take turns in every round, and two are compared round by round, so that"
                    + " a machine or server that becomes slower does not decide. They differ if their ratio is more than"
                    + " 2 % from 1 and its 95 % interval, Student's with fewer than six rounds, does not contain 1. After fewer than three rounds, times differ"
                    + " if their intervals do not overlap, and counts if they are more than 2 % apart.";
    private static final String DEFAULT = "findandmodify-counter";

    private final Results results;
    private final ContenderStyles styles;

    RecommendationSection(Results results, ContenderStyles styles) {
        this.results = results;
        this.styles = styles;
    }

    HtmlElement html() {
        HtmlElement advice =
                HtmlElement.of("p", "Advice: " + results.conditions().advice()).with("class", "advice");
        return HtmlElement.of("section", HtmlElement.of("h2", "Which one to take"), advice)
                .add(HtmlElement.of("p", RULE), answers(), new OtherLibraryComparison(results, styles).html())
                .with("id", "answer");
    }

    private HtmlElement answers() {
        HtmlElement head = HtmlElement.of("tr", column("You need"), column("Sync client"), column("Reactive client"));
        Map<UseCase, List<Answer>> byUseCase = Answer.all(results.run()).stream()
                .collect(Collectors.groupingBy(Answer::useCase, LinkedHashMap::new, Collectors.toList()));
        List<HtmlElement> rows = byUseCase.entrySet().stream()
                .map(row -> row(row.getKey(), row.getValue()))
                .toList();
        return HtmlElement.of("table", HtmlElement.of("thead", head), HtmlElement.of("tbody", rows))
                .with("class", "answers");
    }

    private static HtmlElement column(String name) {
        return HtmlElement.of("th", name).with("scope", "col");
    }

    private HtmlElement row(UseCase useCase, List<Answer> answers) {
        HtmlElement name = HtmlElement.of("th", useCase.title(), HtmlElement.of("small", "by " + useCase.by()))
                .with("scope", "row");
        List<HtmlElement> cells = answers.stream()
                .map(answer -> HtmlElement.of("td", words(answer))
                        .with("data-client", answer.client().id()))
                .toList();
        return HtmlElement.of("tr", name, cells);
    }

    private List<HtmlElement> words(Answer answer) {
        if (answer.isOfAll()) {
            return List.of(HtmlElement.of("span", "All of them; the first line says which is fastest."));
        }
        if (answer.isEmpty()) {
            return List.of(HtmlElement.of("span", answer.open()));
        }
        return answer.choice().isOne()
                ? chosen(answer.choice(), answer.able())
                : List.of(open("Not told apart: "), figures(answer.choice().leaders()), why(answer));
    }

    private List<HtmlElement> chosen(BestChoice choice, List<String> able) {
        Measurement best = choice.leaders().get(0);
        String beside = able.size() == 1 ? " The only one." : next(choice);
        return List.of(
                styles.style(best.subject().contender()).sample(),
                HtmlElement.of("strong", name(best)),
                HtmlElement.of("span", ": " + value(best) + "." + beside));
    }

    private String next(BestChoice choice) {
        return choice.others().isEmpty()
                ? ""
                : " Next: " + name(choice.others().get(0)) + ", "
                        + value(choice.others().get(0)) + ".";
    }

    private static HtmlElement open(String words) {
        return HtmlElement.of("em", words);
    }

    private HtmlElement figures(List<Measurement> figures) {
        return HtmlElement.of(
                "span",
                figures.stream().map(one -> name(one) + " " + value(one)).collect(Collectors.joining(", ")) + ".");
    }

    private static HtmlElement why(Answer answer) {
        return HtmlElement.of(
                "span",
                " " + answer.open() + (answer.leaders().contains(DEFAULT) ? " If unsure, " + DEFAULT + "." : ""));
    }

    private String name(Measurement one) {
        return styles.title(one.subject().contender());
    }

    private static String value(Measurement one) {
        return QuantityFormat.of(one.value().value(), one.metric().unit());
    }
}
