package org.mongolocks.benchmarks.page;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Contender.Kind;
import org.mongolocks.benchmarks.result.Measurement;

/**
 * The recommendation section: the strategy for each use case by figures and traits, or that the figures are
 * inconclusive.
 */
final class AnswerSection {
    private static final String RULE =
            "By this run. Two are told apart only if their 95 % intervals have nothing in common;"
                    + " counts, if they differ by more than 2 %.";
    private static final String IN_DOUBT = "findandmodify-counter";

    private final Results results;
    private final Cast cast;

    AnswerSection(Results results, Cast cast) {
        this.results = results;
        this.cast = cast;
    }

    Tag html() {
        Tag advice = Tag.of("p", "Advice: " + results.circumstances().advice()).with("class", "advice");
        return Tag.of("section", Tag.of("h2", "Which one to take"), advice)
                .add(Tag.of("p", RULE), answers(), new PeerAnswer(results, cast).html())
                .with("id", "answer");
    }

    private Tag answers() {
        Tag head = Tag.of("tr", column("You need"), column("Sync client"), column("Reactive client"));
        List<Tag> rows = Need.all().stream().map(this::row).toList();
        return Tag.of("table", Tag.of("thead", head), Tag.of("tbody", rows)).with("class", "answers");
    }

    private static Tag column(String name) {
        return Tag.of("th", name).with("scope", "col");
    }

    private Tag row(Need need) {
        Tag name =
                Tag.of("th", need.title(), Tag.of("small", "by " + need.by())).with("scope", "row");
        List<Tag> answers = Arrays.stream(Client.values())
                .map(client -> Tag.of("td", answer(need, client)).with("data-client", client.id()))
                .toList();
        return Tag.of("tr", name, answers);
    }

    private List<Tag> answer(Need need, Client client) {
        List<String> able = results.sound(Kind.STRATEGY)
                .filter(one -> need.meets().test(results, one))
                .map(Contender::id)
                .toList();
        if (able.isEmpty()) {
            return List.of(Tag.of("span", "None of those measured" + need.wayOut() + "."));
        }
        boolean isAll = able.size() == results.sound(Kind.STRATEGY).count();
        return need.isForSome() && isAll
                ? List.of(Tag.of("span", "All of them; the first line says which is fastest."))
                : words(choice(need, client, able), able, results.isNoisy(need.yardstick()));
    }

    private Choice choice(Need need, Client client, List<String> able) {
        List<Measurement> figures = need.yardstick().figures(results, client).stream()
                .filter(one -> able.contains(one.subject().contender()))
                .toList();
        return Choice.among(figures, need.yardstick().isMoreBetter());
    }

    private List<Tag> words(Choice choice, List<String> able, boolean isNoisy) {
        if (choice.isNobody()) {
            return List.of(
                    Tag.of("span", "Not measured." + (able.size() == 1 ? " Only " + able.get(0) + " does this." : "")));
        }
        if (isNoisy && able.size() > 1) {
            return List.of(
                    open("No choice: the run was noisy. "), figures(choice.all()), Tag.of("span", inDoubt(choice)));
        }
        return choice.isOne()
                ? chosen(choice, able)
                : List.of(open("Not told apart: "), figures(choice.leaders()), why(choice));
    }

    private List<Tag> chosen(Choice choice, List<String> able) {
        Measurement best = choice.leaders().get(0);
        String beside = able.size() == 1 ? " The only one." : next(choice);
        return List.of(
                cast.look(best.subject().contender()).sample(),
                Tag.of("strong", name(best)),
                Tag.of("span", ": " + value(best) + "." + beside));
    }

    private String next(Choice choice) {
        return choice.others().isEmpty()
                ? ""
                : " Next: " + name(choice.others().get(0)) + ", "
                        + value(choice.others().get(0)) + ".";
    }

    private static Tag open(String words) {
        return Tag.of("em", words);
    }

    private Tag figures(List<Measurement> figures) {
        return Tag.of(
                "span",
                figures.stream().map(one -> name(one) + " " + value(one)).collect(Collectors.joining(", ")) + ".");
    }

    private Tag why(Choice choice) {
        String reason = choice.hasIntervals() ? "" : " There is no interval; a longer run has one.";
        return Tag.of("span", reason + inDoubt(choice));
    }

    private static String inDoubt(Choice choice) {
        return choice.leaders().stream()
                        .anyMatch(one -> one.subject().contender().equals(IN_DOUBT))
                ? " In doubt, " + IN_DOUBT + "."
                : "";
    }

    private String name(Measurement one) {
        return cast.title(one.subject().contender());
    }

    private static String value(Measurement one) {
        return Quantity.of(one.value().value(), one.metric().unit());
    }
}
