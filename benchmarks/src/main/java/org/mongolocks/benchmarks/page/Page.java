package org.mongolocks.benchmarks.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.Metric;

/**
 * The HTML report of a run: one self-contained page without scripts and without network access. It is generated from
 * {@code results.json} alone.
 */
public final class Page {
    private static final int SMALL = 400_000;

    private final Results results;
    private final Cast cast;
    private final List<Sheet> sheets;

    private Page(Results results) {
        this.results = results;
        this.cast = new Cast(results.contenders());
        this.sheets = Sheet.of(results.measurements());
    }

    /**
     * Returns the page.
     *
     * @param resultsJson the content of {@code results.json}
     * @throws IllegalArgumentException if the format is not the one that this program writes
     */
    public static String of(String resultsJson) {
        return new Page(ResultsReader.read(resultsJson)).html();
    }

    private String html() {
        return resource("head.html").replace("{{style}}", resource("page.css")) + main() + "\n</body>\n</html>\n";
    }

    private Tag main() {
        return Tag.of("main", Tag.of("h1", "What a lock costs on MongoDB"))
                .add(new CircumstancesSection(results.circumstances()).html())
                .add(new Warnings(results).html())
                .add(new AnswerSection(results, cast).html())
                .add(new ContenderSection(cast).html())
                .add(contents())
                .add(Arrays.stream(Chapter.values())
                        .flatMap(chapter -> section(chapter).stream())
                        .toList())
                .add(remarks(), raw());
    }

    private Tag contents() {
        List<Tag> links = Arrays.stream(Chapter.values())
                .filter(chapter -> !of(chapter).isEmpty())
                .map(chapter -> Tag.of("li", Tag.of("a", chapter.title()).with("href", "#" + chapter.id())))
                .toList();
        return Tag.of("nav", Tag.of("ul", links)).with("aria-label", "Charts");
    }

    private List<Sheet> of(Chapter chapter) {
        return sheets.stream().filter(sheet -> Chapter.of(sheet) == chapter).toList();
    }

    /** Returns no section for a chapter without measurements. */
    private List<Tag> section(Chapter chapter) {
        List<Sheet> all = of(chapter);
        if (all.isEmpty()) {
            return List.of();
        }
        List<Tag> figures = all.stream()
                .filter(sheet -> !Chapter.isMinor(sheet))
                .flatMap(this::figures)
                .toList();
        List<Tag> minor =
                all.stream().filter(Chapter::isMinor).flatMap(this::figures).toList();
        return List.of(Tag.of("section", Tag.of("h2", chapter.title()), Tag.of("p", chapter.question()), figures)
                .add(folded(minor))
                .with("id", chapter.id()));
    }

    private Stream<Tag> figures(Sheet sheet) {
        String id = "-" + sheets.indexOf(sheet);
        Stream<Tag> figures = figures(sheet, "figure" + id);
        Stream<Tag> tails = figures(sheet.tails(), "tails" + id);
        Stream<Tag> ratios =
                sheet.metric().equals(Metric.LATENCY) ? figures(sheet.ratios(), "ratios" + id) : Stream.of();
        return Stream.of(figures, tails, ratios).flatMap(all -> all);
    }

    private Stream<Tag> figures(Sheet sheet, String id) {
        Optional<Double> noise = Chapter.isTimed(sheet) ? results.noise(sheet.benchmark()) : Optional.empty();
        return sheet.isEmpty() ? Stream.of() : new FigureSection(cast, sheet, noise).under(id).stream();
    }

    private static List<Tag> folded(List<Tag> figures) {
        return figures.isEmpty()
                ? List.of()
                : List.of(Tag.of("details", Tag.of("summary", "The same of other operations"), figures));
    }

    private Tag remarks() {
        List<Tag> lines = new ArrayList<>();
        results.remarks().forEach(remark -> lines.add(Tag.of("li", remark)));
        String missing = Arrays.stream(Chapter.values())
                .filter(chapter -> chapter != Chapter.MORE && of(chapter).isEmpty())
                .map(Chapter::title)
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            lines.add(Tag.of("li", "Not measured in this run: " + missing + "."));
        }
        lines.add(Tag.of("li", "docs/compare.md says how each figure is measured, and what it does not say."));
        return Tag.of("section", Tag.of("h2", "Remarks"), Tag.of("ul", lines)).with("id", "remarks");
    }

    /** Embeds the results unless they are large, because the page may outlive the file. */
    private List<Tag> raw() {
        return results.json().length() > SMALL
                ? List.of()
                : List.of(Tag.of(
                                "details",
                                Tag.of("summary", "results.json, as it was"),
                                Tag.of("pre", results.json()).with("tabindex", "0"))
                        .with("class", "raw"));
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(Page.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
