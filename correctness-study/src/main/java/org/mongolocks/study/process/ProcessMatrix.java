package org.mongolocks.study.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.simulation.Outcome;
import org.mongolocks.study.technique.Technique;

/** Is scenarios by techniques, with real processes, as far as they can be run here. */
public final class ProcessMatrix {
    /** A run has several processes, which sleep most of the time. */
    private static final int AT_ONCE = Math.max(2, Runtime.getRuntime().availableProcessors());

    private final Site site;
    private final List<ProcessScenario> rows;
    private final List<Technique> columns;
    private final List<String> leftOut = new ArrayList<>();

    /**
     * Leaves out what cannot be run.
     *
     * @param site the server
     * @param scenarios the rows that are wanted
     * @param techniques the columns that are wanted
     * @throws IllegalArgumentException if nothing is left; the message says why
     */
    public ProcessMatrix(Site site, List<ProcessScenario> scenarios, List<Technique> techniques) {
        this.site = site;
        Obstacles obstacles = new Obstacles(site);
        this.rows = scenarios.stream()
                .filter(row -> isFree(row.name(), obstacles.to(row)))
                .toList();
        this.columns = techniques.stream()
                .filter(column -> isFree(column.name(), obstacles.to(column)))
                .toList();
        if (rows.isEmpty() || columns.isEmpty()) {
            throw new IllegalArgumentException("Nothing can be run: " + String.join("; ", leftOut));
        }
    }

    /** Says what was left out, and why. */
    public List<String> leftOut() {
        return List.copyOf(leftOut);
    }

    /** Counts the cells. */
    public int size() {
        return rows.size() * columns.size();
    }

    /**
     * Runs all that is left.
     *
     * @param seeds how many runs each cell has
     * @param progress is told of each cell that is done, on any thread
     * @return the matrix
     * @throws RunFailedException if a run broke down
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
        }
    }

    private static Matrix matrix(List<Future<Cell>> cells) throws InterruptedException {
        List<Cell> done = new ArrayList<>();
        for (Future<Cell> cell : cells) {
            try {
                done.add(cell.get());
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RunFailedException failed
                        ? failed
                        : new RunFailedException("A run broke down: " + e.getCause(), e);
            }
        }
        return new Matrix(done);
    }

    private Cell cell(ProcessScenario row, Technique column, int seeds) {
        return Matrix.cell(row.name(), column, seeds, seed -> outcome(row, column, seed));
    }

    private Outcome outcome(ProcessScenario row, Technique column, long seed) {
        try {
            return ProcessRun.run(row, column, site, seed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RunFailedException("A run was interrupted", e);
        } catch (RunFailedException e) {
            throw new RunFailedException(row.name() + " with " + column.name() + ": " + e.getMessage(), e);
        }
    }

    private boolean isFree(String name, Optional<String> obstacle) {
        obstacle.ifPresent(reason -> leftOut.add(name + " " + reason));
        return obstacle.isEmpty();
    }
}
