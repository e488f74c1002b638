package org.mongolocks.study.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.simulation.Outcome;
import org.mongolocks.study.technique.Technique;

/** Is scenarios by techniques, with real processes, as far as they can be run here. */
public final class ProcessMatrix {
    /** A run has several processes, which sleep most of the time. */
    private static final int AT_ONCE = Math.max(2, Runtime.getRuntime().availableProcessors());

    private static final int FAREWELL_SECONDS = 60;

    private final Site site;
    private final List<ProcessScenario> rows;
    private final List<Technique> columns;
    private final Consumer<String> log;
    private final List<String> brokenDown = new CopyOnWriteArrayList<>();

    /**
     * Leaves out what cannot be run.
     *
     * @param site the server
     * @param scenarios the rows that are wanted
     * @param techniques the columns that are wanted
     * @param log is told what is left out, and what went wrong with the study itself, a line each, on any thread
     * @throws IllegalArgumentException if nothing is left; the message says why
     */
    public ProcessMatrix(Site site, List<ProcessScenario> scenarios, List<Technique> techniques, Consumer<String> log) {
        this.site = site;
        this.log = log;
        List<String> leftOut = new ArrayList<>();
        Obstacles obstacles = Obstacles.at(site);
        this.rows = scenarios.stream()
                .filter(row -> isFree(row.name(), obstacles.to(row), leftOut))
                .toList();
        this.columns = techniques.stream()
                .filter(column -> isFree(column.name(), obstacles.to(column), leftOut))
                .toList();
        if (rows.isEmpty() || columns.isEmpty()) {
            throw new IllegalArgumentException("Nothing can be run: " + String.join("; ", leftOut));
        }
        leftOut.forEach(line -> log.accept("left out: " + line));
    }

    /** Counts the cells. */
    public int size() {
        return rows.size() * columns.size();
    }

    /** Tells of each cell that broke down, and why; the matrix is without them. */
    public List<String> brokenDown() {
        return List.copyOf(brokenDown);
    }

    /**
     * Runs all that is left.
     *
     * @param seeds how many runs each cell has
     * @param progress is told of each cell that is done, on any thread
     * @return the matrix, without cells that {@linkplain #brokenDown() broke down}
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
                String why = "not run: " + e.getMessage();
                brokenDown.add(why);
                log.accept(why);
            }
        }
        return new Matrix(done);
    }

    private Cell cell(ProcessScenario row, Technique column, int seeds) {
        return Matrix.cell(row.name(), column, seeds, seed -> outcome(row, column, seed));
    }

    /** A run that broke down shows nothing, for or against the lock; on a busy machine another may not. */
    private Outcome outcome(ProcessScenario row, Technique column, long seed) {
        try {
            return run(row, column, seed);
        } catch (RunFailedException e) {
            log.accept(e.getMessage() + "; it is run once more");
            return run(row, column, seed);
        }
    }

    private Outcome run(ProcessScenario row, Technique column, long seed) {
        try {
            return ProcessRun.run(row, column, site, seed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RunFailedException("A run was interrupted", e);
        } catch (RuntimeException e) {
            throw new RunFailedException(row.name() + " with " + column.name() + ": " + e.getMessage(), e);
        }
    }

    private static boolean isFree(String name, Optional<String> obstacle, List<String> leftOut) {
        obstacle.ifPresent(reason -> leftOut.add(name + " " + reason));
        return obstacle.isEmpty();
    }
}
