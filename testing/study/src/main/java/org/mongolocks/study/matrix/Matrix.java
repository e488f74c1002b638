package org.mongolocks.study.matrix;

import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.mongolocks.study.check.Checker;
import org.mongolocks.study.check.Checker.Claims;
import org.mongolocks.study.check.Checker.Verdict;
import org.mongolocks.study.history.History;
import org.mongolocks.study.matrix.Cell.CellBuilder;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Simulation;
import org.mongolocks.study.sim.Simulation.Outcome;
import org.mongolocks.study.technique.Column;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Technique.TechniqueConfig;

/** All scenarios with all techniques. The same scenarios, techniques and seeds give the same matrix. */
public record Matrix(List<Cell> cells) {
    /** Returns the matrix of some cells, in the order of rows and columns. */
    public static Matrix of(List<Cell> cells, List<String> rows, List<String> columns) {
        return new Matrix(cells.stream()
                .sorted(Comparator.comparingInt((Cell cell) -> rows.indexOf(cell.scenario()))
                        .thenComparingInt(cell -> columns.indexOf(cell.technique())))
                .toList());
    }

    /**
     * Runs scenarios with techniques, on all processors.
     *
     * @param seeds how many runs each cell has; their seeds start at 0
     */
    public static Matrix run(List<Scenario> scenarios, List<Technique> techniques, int seeds) {
        return run(scenarios, techniques, seeds, cell -> {});
    }

    /**
     * Runs scenarios with techniques, on all processors.
     *
     * @param seeds how many runs each cell has; their seeds start at 0
     * @param progress called with each finished cell, on any thread
     */
    public static Matrix run(List<Scenario> scenarios, List<Technique> techniques, int seeds, Consumer<Cell> progress) {
        List<Cell> cells = scenarios.stream()
                .flatMap(scenario ->
                        techniques.stream().filter(scenario::isFor).map(technique -> new Place(scenario, technique)))
                .toList()
                .parallelStream()
                .map(place -> place.run(seeds))
                .peek(progress)
                .toList();
        return new Matrix(cells);
    }

    /**
     * Runs and checks one cell, one run after another.
     *
     * @param scenario the name of the row
     * @param seeds how many runs there are; their seeds start at 0
     * @param run runs one seed
     * @param check checks the history of a run
     */
    public static Cell cell(
            String scenario, Column technique, int seeds, LongFunction<Outcome> run, Function<History, Verdict> check) {
        CellBuilder cell = new CellBuilder();
        LongStream.range(0, seeds).forEach(seed -> {
            Outcome outcome = run.apply(seed);
            cell.add(seed, outcome, check.apply(outcome.history()));
        });
        return cell.build(scenario, technique.name());
    }

    /**
     * Returns the claims of a technique.
     *
     * @return the claims by which it is judged
     */
    public static Claims claimsOf(Column technique) {
        TechniqueConfig config = technique.config();
        return new Claims(technique.hasTokens(), config.hasLease(), config.isOptimistic());
    }

    /**
     * Returns the number of runs.
     *
     * @return the number of runs of all cells
     */
    public long runs() {
        return cells.stream().mapToLong(Cell::runs).sum();
    }

    /**
     * Returns the number of events.
     *
     * @return the number of events of all runs
     */
    public long events() {
        return cells.stream().mapToLong(cell -> cell.totals().events()).sum();
    }

    /** Returns the names of the rows. */
    public Stream<String> scenarios() {
        return cells.stream().map(Cell::scenario).distinct();
    }

    /** A row with a column. */
    private record Place(Scenario scenario, Technique technique) {
        Cell run(int seeds) {
            return cell(
                    scenario.name(),
                    technique,
                    scenario.runs(seeds),
                    seed -> Simulation.run(scenario, technique, seed),
                    history -> Checker.check(history, claimsOf(technique), scenario.bounds()));
        }
    }
}
