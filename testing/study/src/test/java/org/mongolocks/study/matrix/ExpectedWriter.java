package org.mongolocks.study.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.scenario.Scenarios;
import org.mongolocks.study.technique.Techniques;

/** Writes the file that {@link Expected} reads, from many seeds. Review each change before you commit it. */
final class ExpectedWriter {
    private static final int SEEDS = 40;
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");

    private ExpectedWriter() {}

    /** Takes the path of the file. */
    public static void main(String[] arguments) throws IOException {
        LOCKS.setLevel(Level.OFF);
        Matrix matrix = Matrix.run(Scenarios.all(), Techniques.all(), SEEDS);
        List<String> lines =
                matrix.cells().stream().flatMap(ExpectedWriter::line).toList();
        Files.write(Path.of(arguments[0]), lines);
    }

    private static Stream<String> line(Cell cell) {
        if (cell.findings().isEmpty()) {
            return Stream.of();
        }
        return Stream.of(
                cell.scenario() + " " + cell.technique() + " must:" + names(cell, true) + " may:" + names(cell, false));
    }

    private static String names(Cell cell, boolean isFoundOften) {
        return cell.findings().keySet().stream()
                .filter(finding -> (cell.count(finding) * 5 >= cell.runs() * 2) == isFoundOften)
                .map(Finding::name)
                .collect(Collectors.joining(","));
    }
}
