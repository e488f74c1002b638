package org.mongolocks.study.matrix;

import static java.util.function.Function.identity;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.CommandRecord;
import org.mongolocks.study.matrix.Cell.Example;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Simulation;
import org.mongolocks.study.technique.Technique;

/**
 * Adds the commands to the examples of a matrix. Commands are not recorded in all runs; but runs are reproducible, so
 * the runs of the examples are run once more.
 */
public record ExampleTracing(List<Scenario> scenarios, List<Technique> techniques) {
    /** Adds the commands, on all processors. A cell that was not simulated stays unchanged. */
    public Matrix of(Matrix matrix) {
        return new Matrix(matrix.cells().parallelStream().map(this::of).toList());
    }

    private Cell of(Cell cell) {
        Optional<Scenario> row = scenarios.stream()
                .filter(one -> one.name().equals(cell.scenario()))
                .findFirst();
        Optional<Technique> column = techniques.stream()
                .filter(one -> one.name().equals(cell.technique()))
                .findFirst();
        return row.isPresent() && column.isPresent() ? of(cell, row.get(), column.get()) : cell;
    }

    private static Cell of(Cell cell, Scenario row, Technique column) {
        Map<Long, List<CommandRecord>> bySeed = cell.examples().values().stream()
                .map(Example::seed)
                .distinct()
                .collect(Collectors.toMap(
                        identity(), seed -> Simulation.trace(row, column, seed).commands()));
        Map<Finding, Example> shown = new EnumMap<>(Finding.class);
        cell.examples()
                .forEach((finding, example) ->
                        shown.put(finding, example.with(bySeed.getOrDefault(example.seed(), List.of()))));
        return cell.showing(shown);
    }
}
