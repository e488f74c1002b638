package org.mongolocks.benchmarks.report.html;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.mongolocks.benchmarks.report.chart.ContenderStyles;
import org.mongolocks.benchmarks.report.chart.QuantityFormat;
import org.mongolocks.benchmarks.report.choice.BestChoice;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
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
        List<HtmlElement> rows = UseCase.all().stream().map(this::row).toList();
        return HtmlElement.of("table", HtmlElement.of("thead", head), HtmlElement.of("tbody", rows))
                .with("class", "answers");
    }

    private static HtmlElement column(String name) {
        return HtmlElement.of("th", name).with("scope", "col");
    }

    private HtmlElement row(UseCase useCase) {
        HtmlElement name = HtmlElement.of("th", useCase.title(), HtmlElement.of("small", "by " + useCase.by()))
                .with("scope", "row");
        List<HtmlElement> answers = Arrays.stream(Client.values())
                .map(client -> HtmlElement.of("td", answer(useCase, client)).with("data-client", client.id()))
                .toList();
        return HtmlElement.of("tr", name, answers);
    }

    private List<HtmlElement> answer(UseCase useCase, Client client) {
        List<String> able = results.sound(Kind.STRATEGY)
                .filter(one -> useCase.meets().test(results, one))
                .map(LockUnderTest::id)
                .toList();
        if (able.isEmpty()) {
            return List.of(HtmlElement.of("span", "None of those measured" + useCase.advice() + "."));
        }
        boolean isAll = able.size() == results.sound(Kind.STRATEGY).count();
        return useCase.isForSome() && isAll
                ? List.of(HtmlElement.of("span", "All of them; the first line says which is fastest."))
                : words(useCase.metric().choice(results.figures(), client, able), able);
    }

    private List<HtmlElement> words(BestChoice choice, List<String> able) {
        if (choice.isEmpty()) {
            return List.of(HtmlElement.of(
                    "span", "Not measured." + (able.size() == 1 ? " Only " + able.get(0) + " does this." : "")));
        }
        return choice.isOne()
                ? chosen(choice, able)
                : List.of(open("Not told apart: "), figures(choice.leaders()), why(choice));
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

    private HtmlElement why(BestChoice choice) {
        String decider = choice.whatWouldDecide(results.conditions().minutes());
        return HtmlElement.of("span", " " + decider + orDefault(choice));
    }

    private static String orDefault(BestChoice choice) {
        return choice.leaders().stream()
                        .anyMatch(one -> one.subject().contender().equals(DEFAULT))
                ? " If unsure, " + DEFAULT + "."
                : "";
    }

    private String name(Measurement one) {
        return styles.title(one.subject().contender());
    }

    private static String value(Measurement one) {
        return QuantityFormat.of(one.value().value(), one.metric().unit());
    }
}
