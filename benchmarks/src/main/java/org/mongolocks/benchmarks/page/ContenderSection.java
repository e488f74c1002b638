package org.mongolocks.benchmarks.page;

import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Contender.Kind;
import org.mongolocks.benchmarks.result.Contender.Properties;

/** Tells what each contender promises, so that none is seen for its speed alone. */
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

    private final Cast cast;

    ContenderSection(Cast cast) {
        this.cast = cast;
    }

    Tag html() {
        List<Tag> head = COLUMNS.stream()
                .map(name -> Tag.of("th", name).with("scope", "col"))
                .toList();
        List<Tag> rows = Stream.of(Kind.STRATEGY, Kind.PEER, Kind.FLOOR)
                .flatMap(kind -> cast.inOrder().stream().filter(one -> one.kind() == kind))
                .map(this::row)
                .toList();
        Tag table = Tag.of("table", Tag.of("thead", Tag.of("tr", head)), Tag.of("tbody", rows));
        return Tag.of(
                        "section",
                        Tag.of("h2", "What each promises"),
                        Tag.of(
                                "p",
                                "A lock that promises less may well be faster. Floors are raw commands, and no locks."),
                        Tag.of("div", table)
                                .with("class", "scroll")
                                .with("tabindex", "0")
                                .with("role", "region")
                                .with("aria-label", "What each promises"))
                .with("id", "promises");
    }

    private Tag row(Contender one) {
        Tag name = Tag.of(
                        "th",
                        cast.look(one.id()).sample(),
                        cast.title(one.id()),
                        Tag.of("small", one.kind().id()))
                .with("scope", "row");
        Properties properties = one.properties();
        return Tag.of(
                "tr",
                name,
                cell(properties.durability()),
                cell(properties.fencing()),
                cell(properties.ownerCheck()),
                cell(properties.clock()),
                cell(properties.waiting()),
                cell(properties.retrySafe()),
                cell(one.verdict().status().id()
                        + one.verdict().reason().map(reason -> ": " + reason).orElse("")));
    }

    private static Tag cell(String text) {
        return Tag.of("td", text.isBlank() ? "–" : text);
    }
}
