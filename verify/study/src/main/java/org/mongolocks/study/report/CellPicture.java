package org.mongolocks.study.report;

import static org.mongolocks.html.HtmlElement.escaped;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.study.check.Violation;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Cell.Example;
import org.mongolocks.study.report.FindingExplanation.Severity;

/**
 * One picture of a cell. Each finding has its own shortest example; if several consist of the same events of the same
 * run, they share one picture.
 *
 * @param examples the examples that it shows, the most severe first
 */
record CellPicture(List<Example> examples) {
    /** The properties by which examples share a picture. */
    private record Key(long seed, int first, int second, List<Event> events) {
        static Key of(Example example) {
            Violation violation = example.counterExample().violation();
            return new Key(
                    example.seed(),
                    violation.first(),
                    violation.second(),
                    example.counterExample().events());
        }
    }

    /** Returns the pictures of a cell, the most severe first. */
    static List<CellPicture> of(Cell cell) {
        Map<Key, List<Example>> together = worstFirst(cell)
                .flatMap(finding -> cell.example(finding).stream())
                .collect(Collectors.groupingBy(Key::of, LinkedHashMap::new, Collectors.toList()));
        return together.values().stream().map(CellPicture::new).toList();
    }

    static Stream<Finding> worstFirst(Cell cell) {
        return cell.findings().keySet().stream()
                .sorted(Comparator.comparing((Finding finding) -> Severity.of(finding))
                        .reversed()
                        .thenComparing(Comparator.naturalOrder()));
    }

    String html(Cell cell) {
        Example example = examples.get(0);
        return findings().stream()
                        .map(finding -> "<h3 id=\"" + id(cell, finding) + "\" tabindex=\"-1\">"
                                + Severity.of(finding).sign() + " " + finding.words() + "</h3><p>"
                                + escaped(FindingExplanation.of(finding)) + "</p>\n")
                        .collect(Collectors.joining())
                + "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Timeline of "
                + findings().get(0).words() + "\">" + Timeline.of(example.counterExample(), violations())
                + "</div>\n<ol class=\"events\" tabindex=\"0\" aria-label=\"Events and commands\">\n"
                + eventList(example)
                + "</ol>\n";
    }

    /** Returns the seed of the run. */
    long seed() {
        return examples.get(0).seed();
    }

    private List<Violation> violations() {
        return examples.stream()
                .map(example -> example.counterExample().violation())
                .toList();
    }

    private List<Finding> findings() {
        return violations().stream().map(Violation::finding).toList();
    }

    private static String eventList(Example example) {
        return example.counterExample().descriptions().stream()
                .map(line ->
                        "<li><b>" + line.label() + "</b> " + escaped(line.line().strip()) + "</li>\n")
                .collect(Collectors.joining());
    }

    static String id(Cell cell, Finding finding) {
        return CellSection.id(cell) + "-" + finding;
    }
}
