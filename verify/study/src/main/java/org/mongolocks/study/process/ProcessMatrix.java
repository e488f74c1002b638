package org.mongolocks.study.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.sim.Simulation.Outcome;
import org.mongolocks.study.technique.Technique;

/** Scenarios by techniques with real processes, as far as they can be run here. */
public final class ProcessMatrix {
    /** How many runs are in progress at the same time; their processes sleep most of the time. */
    private static final int AT_ONCE = Math.max(2, Runtime.getRuntime().availableProcessors());

    private static final int FAREWELL_SECONDS = 60;

    private final TestDatabase database;
    private final List<ProcessScenario> rows;
    private final List<Technique> columns;
    private final Consumer<String> log;
    private final List<String> brokenDown = new CopyOnWriteArrayList<>();

    /**
     * Selects the scenarios and techniques that can be run.
     *
     * @param database the server
     * @param scenarios the requested rows
     * @param techniques the requested columns
     * @param log called with a line for each omission and each failure of the study itself, on any thread
     * @throws IllegalArgumentException if nothing can be run; the message says why
     */
    public ProcessMatrix(
            TestDatabase database, List<ProcessScenario> scenarios, List<Technique> techniques, Consumer<String> log) {
        this.database = database;
        this.log = log;
        List<String> leftOut = new ArrayList<>();
        Set<Need> missing = Need.missing(database);
        this.rows = scenarios.stream()
                .filter(row -> admit(row.name(), row.needs(), missing, leftOut))
                .toList();
        this.columns = techniques.stream()
                .filter(column -> admit(column.name(), Need.of(column), missing, leftOut))
                .toList();
        if (rows.isEmpty() || columns.isEmpty()) {
            throw new IllegalArgumentException("Nothing can be run: " + String.join("; ", leftOut));
        }
        leftOut.forEach(line -> log.accept("left out: " + line));
    }

    /** Returns the number of cells. */
    public int size() {
        return rows.size() * columns.size();
    }

    /** Returns the cells that failed, with the reason; the matrix is without them. */
    public List<String> brokenDown() {
        return List.copyOf(brokenDown);
    }

    /**
     * Runs all cells.
     *
     * @param seeds how many runs each cell has
     * @param progress called with each finished cell, on any thread
     * @return the matrix, without cells that {@linkplain #brokenDown() failed}
     * @throws InterruptedException if the thread was interrupted
     */
    public Matrix run(int seeds, Consumer<Cell> progress) throws InterruptedException {
        ExecutorService runs = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Future<Cell>> cells = new ArrayList<>();
            for (ProcessScenario row : rows) {
                columns.forEach(column -> cells.add(runs.submit(() -> {
                    Cell cell = cell(row, column, seeds);
                    progress.accept(cell);
                    return cell;
                })));
            }
            return matrix(cells);
        } finally {
            runs.shutdownNow();
            runs.awaitTermination(FAREWELL_SECONDS, TimeUnit.SECONDS);
        }
    }

    private Matrix matrix(List<Future<Cell>> cells) throws InterruptedException {
        List<Cell> done = new ArrayList<>();
        for (Future<Cell> cell : cells) {
            try {
                done.add(cell.get());
            } catch (ExecutionException e) {
                String why = String.valueOf(Objects.requireNonNull(e.getCause()).getMessage());
                brokenDown.add(why);
                log.accept("not run: " + why);
            }
        }
        return new Matrix(done);
    }

    private static boolean admit(String name, Set<Need> needs, Set<Need> missing, List<String> leftOut) {
        List<String> reasons = needs.stream()
                .filter(missing::contains)
                .map(need -> name + " " + need)
                .toList();
        leftOut.addAll(reasons);
        return reasons.isEmpty();
    }

    private Cell cell(ProcessScenario row, Technique column, int seeds) {
        return Matrix.cell(row.name(), column, seeds, seed -> outcome(row, column, seed));
    }

    /**
     * Runs once, and once more after a failure of the study itself, which says nothing about the lock; on a busy
     * machine a second run may succeed.
     */
    private Outcome outcome(ProcessScenario row, Technique column, long seed) {
        try {
            return run(row, column, seed);
        } catch (RunFailedException e) {
            log.accept(e.getMessage() + "; retrying once");
            return run(row, column, seed);
        }
    }

    private Outcome run(ProcessScenario row, Technique column, long seed) {
        try {
            return ProcessRun.scenario(RunPlan.of(row, column, seed), database);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RunFailedException("A run was interrupted", e);
        } catch (RuntimeException e) {
            throw new RunFailedException(row.name() + " with " + column.name() + ": " + e.getMessage(), e);
        }
    }
}
