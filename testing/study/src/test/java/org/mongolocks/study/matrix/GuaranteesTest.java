package org.mongolocks.study.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.scenario.Scenarios;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/**
 * Tests that every statement of {@code docs/guarantees.md} agrees with the expected matrix, and that each row is
 * mentioned.
 */
class GuaranteesTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "guarantees.md");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern FOUND = Pattern.compile("(sometimes )?`([A-Z_]+)`");
    private static final Map<String, Expected> EXPECTED = Expected.all();

    /** A line of a table about some cells. */
    private record Statement(String text, List<String> techniques, List<String> rows, String found) {
        Expected expected() {
            Set<Finding> must = EnumSet.noneOf(Finding.class);
            Set<Finding> may = EnumSet.noneOf(Finding.class);
            FOUND.matcher(found)
                    .results()
                    .forEach(hit -> (hit.group(1) == null ? must : may).add(Finding.valueOf(hit.group(2))));
            return new Expected(must, may);
        }

        Stream<String> cells() {
            return rows.stream().flatMap(row -> techniques.stream().map(technique -> row + " " + technique));
        }
    }

    @TestFactory
    Stream<DynamicTest> statementMatchesTheMatrix() {
        return statements().stream()
                .flatMap(statement -> statement
                        .cells()
                        .map(cell -> DynamicTest.dynamicTest(
                                statement.text() + ": " + cell,
                                () -> assertThat(EXPECTED.getOrDefault(cell, Expected.NOTHING))
                                        .isEqualTo(statement.expected()))));
    }

    @Test
    void statementNamesItsFindingsOrNothing() {
        assertThat(statements())
                .isNotEmpty()
                .allMatch(statement -> statement.found().equals("nothing")
                        != FOUND.matcher(statement.found()).find());
    }

    @Test
    void theRowsAndTheTechniquesThatItNamesExist() {
        assertThat(Scenarios.all())
                .extracting(Scenario::name)
                .containsAll(statements().stream()
                        .flatMap(statement -> statement.rows().stream())
                        .toList());
        assertThat(Techniques.shipped())
                .extracting(Technique::name)
                .containsAll(statements().stream()
                        .flatMap(statement -> statement.techniques().stream())
                        .toList());
    }

    @Test
    void everyCellOfAShippedStrategyHasAStatement() {
        Set<String> all = new TreeSet<>(Scenarios.all().stream()
                .flatMap(row -> Techniques.shipped().stream().map(technique -> row.name() + " " + technique.name()))
                .toList());

        assertThat(new TreeSet<>(statements().stream().flatMap(Statement::cells).toList()))
                .isEqualTo(all);
    }

    /** A table names its techniques in a first column with that heading; otherwise it is about those of the page. */
    private static List<Statement> statements() {
        List<Statement> statements = new ArrayList<>();
        List<String> all = List.of();
        boolean namesTechniques = false;
        for (String line : lines()) {
            if (line.startsWith("Techniques: ")) {
                all = codes(line);
            }
            String[] parts = line.split("\\|", -1);
            if (parts.length == 6 && parts[4].strip().equals("Rows")) {
                namesTechniques = parts[1].strip().equals("Techniques");
            }
            if (parts.length == 6 && !codes(parts[4]).isEmpty()) {
                List<String> techniques = namesTechniques ? codes(parts[1]) : all;
                String text = parts[namesTechniques ? 2 : 1].strip();
                statements.add(new Statement(text, techniques, codes(parts[4]), parts[3].strip()));
            }
        }
        return statements;
    }

    private static List<String> codes(String text) {
        return CODE.matcher(text)
                .results()
                .map((MatchResult hit) -> hit.group(1))
                .toList();
    }

    private static List<String> lines() {
        try {
            return Files.readAllLines(PAGE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
