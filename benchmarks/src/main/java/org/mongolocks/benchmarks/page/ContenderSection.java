package org.mongolocks.benchmarks.page;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Contender.Kind;
import org.mongolocks.benchmarks.result.Contender.Properties;
import org.mongolocks.benchmarks.result.Failure;
import org.mongolocks.benchmarks.result.Verdict;

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
            "A lock that promises less may well be faster. Floors are raw commands, and no locks.";

    private final Cast cast;

    ContenderSection(Cast cast) {
        this.cast = cast;
    }

    Tag html() {
        return Tag.of("section", Tag.of("h2", TITLE), Tag.of("p", CAUTION), Tag.framed(TITLE, table()))
                .with("id", "promises");
    }

    private Tag table() {
        List<Tag> head = COLUMNS.stream()
                .map(name -> Tag.of("th", name).with("scope", "col"))
                .toList();
        List<Tag> rows = Stream.of(Kind.STRATEGY, Kind.PEER, Kind.FLOOR)
                .flatMap(kind -> cast.inOrder().stream().filter(one -> one.kind() == kind))
                .map(one -> Tag.of("tr", name(one), cells(one)))
                .toList();
        return Tag.of("table", Tag.of("thead", Tag.of("tr", head)), Tag.of("tbody", rows));
    }

    private Tag name(Contender one) {
        Tag kind = Tag.of("small", one.kind().id());
        return Tag.of("th", cast.look(one.id()).sample(), cast.title(one.id()), kind)
                .with("scope", "row");
    }

    private static List<Tag> cells(Contender one) {
        Properties its = one.properties();
        return Stream.of(
                        its.durability(),
                        its.fencing(),
                        its.ownerCheck(),
                        its.clock(),
                        its.waiting(),
                        its.retrySafe(),
                        fate(one.verdict()))
                .map(ContenderSection::cell)
                .toList();
    }

    private static String fate(Verdict verdict) {
        String failures =
                verdict.failures().stream().map(Failure::benchmark).distinct().collect(Collectors.joining(", "));
        return verdict.status().id()
                + verdict.reason().map(words -> ": " + words).orElse("")
                + (failures.isEmpty() ? "" : "; failed in " + failures);
    }

    private static Tag cell(String text) {
        return Tag.of("td", text.isBlank() ? "–" : text);
    }
}
