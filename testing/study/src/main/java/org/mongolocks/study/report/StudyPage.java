package org.mongolocks.study.report;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mongolocks.reporting.Template;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.report.FindingExplanation.Severity;
import org.mongolocks.study.report.StudyFiles.StudyEnvironment;
import org.mongolocks.study.technique.PublishedTechnique;

/** A matrix as one self-contained HTML page, which loads nothing. Its markup is {@code study.ftlh}. */
public final class StudyPage {
    private final Matrix matrix;
    private final Optional<LibraryTable> libraries;
    private final int missing;
    private final Map<String, String> abouts;
    private final StudyEnvironment venue;
    private final Map<String, Integer> searched;

    /**
     * A row of the matrix.
     *
     * @param cells its cells; a technique that does not offer what the scenario needs has none
     * @param limited the cells of the library's strategies with findings
     * @param limit what these strategies do not guarantee
     */
    public record Row(String name, String about, List<CellSection> cells, List<CellSection> limited, Advice limit) {}

    /** Takes the matrix, and the fault of each scenario by its name. */
    StudyPage(Matrix matrix, Map<String, String> abouts) {
        this(matrix, Optional.empty(), 0, abouts, StudyEnvironment.simulation(), Map.of());
    }

    /**
     * @param missing how many cells have not been run
     * @param searched how many states of a technique were searched whole
     */
    StudyPage(
            Matrix matrix,
            Optional<LibraryTable> libraries,
            int missing,
            Map<String, String> abouts,
            StudyEnvironment venue,
            Map<String, Integer> searched) {
        this.matrix = matrix;
        this.libraries = libraries;
        this.missing = missing;
        this.abouts = abouts;
        this.venue = venue;
        this.searched = searched;
    }

    String html() {
        Map<String, Object> model = new HashMap<>(Map.of(
                "searched", searched,
                "venue", venue,
                "matrix", matrix,
                "missing", missing,
                "published",
                        PublishedTechnique.all().stream()
                                .filter(one -> techniques().contains(one.name()))
                                .toList(),
                "techniques", techniques(),
                "articles", techniques().stream().filter(Advice::isArticle).toList(),
                "scenarios", matrix.scenarios().toList(),
                "rows", matrix.scenarios().map(this::row).toList(),
                "cases",
                        matrix.cells().stream()
                                .filter(cell -> Severity.of(cell) != Severity.SOUND)
                                .map(this::section)
                                .toList()));
        libraries.ifPresent(table -> model.put("libraries", table));
        return Template.fill(StudyPage.class, "study.ftlh", model);
    }

    private Row row(String scenario) {
        List<CellSection> cells = cells(scenario).stream().map(this::section).toList();
        return new Row(
                scenario,
                about(scenario),
                cells,
                cells.stream()
                        .filter(section -> libraries.isEmpty()
                                && !section.isArticle()
                                && !section.cell().findings().isEmpty())
                        .toList(),
                KnownLimits.of(scenario));
    }

    private CellSection section(Cell cell) {
        return new CellSection(cell, about(cell.scenario()), cells(cell.scenario()), libraries.isPresent());
    }

    private List<Cell> cells(String scenario) {
        return matrix.cells().stream()
                .filter(cell -> cell.scenario().equals(scenario))
                .toList();
    }

    private String about(String scenario) {
        return abouts.getOrDefault(scenario, "");
    }

    /** Returns the techniques, those of the library first: they are what a small screen shows. */
    private List<String> techniques() {
        return matrix.cells().stream()
                .map(Cell::technique)
                .distinct()
                .sorted(Comparator.comparing(Advice::isArticle))
                .toList();
    }
}
