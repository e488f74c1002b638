package org.mongolocks.study.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.mongolocks.study.check.Checker;
import org.mongolocks.study.check.Checker.Claims;
import org.mongolocks.study.check.Checker.Verdict;
import org.mongolocks.study.check.HolderCheck;
import org.mongolocks.study.history.History;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.sim.Simulation.Outcome;
import org.mongolocks.study.technique.Column;
import org.mongolocks.study.technique.Library;

/** Scenarios by techniques with real processes, as far as they can be run here. */
public final class ProcessMatrix {
    /** How many runs are in progress at the same time; their processes sleep most of the time. */
    private static final int AT_ONCE = Math.max(2, Runtime.getRuntime().availableProcessors());

    private static final int SHUTDOWN_SECONDS = 60;

    private final TestDatabase database;
    private final List<ProcessScenario> rows;
    private final List<Column> columns;
    private final List<Place> places = new ArrayList<>();
    private final Consumer<String> log;
    private final Map<String, List<String>> unfit = new TreeMap<>();
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
            TestDatabase database,
            List<ProcessScenario> scenarios,
            List<? extends Column> techniques,
            Consumer<String> log) {
        this.database = database;
        this.log = log;
        List<String> leftOut = new ArrayList<>();
        this.rows = scenarios.stream()
                .filter(row -> admit(row.name(), row.needs(), leftOut))
                .toList();
        this.columns = techniques.stream()
                .filter(column -> admit(column.name(), Need.of(column), leftOut))
                .<Column>map(column -> column)
                .toList();
        if (rows.isEmpty() || columns.isEmpty()) {
            throw new IllegalArgumentException("Nothing can be run: " + String.join("; ", leftOut));
        }
        leftOut.forEach(line -> log.accept("left out: " + line));
        for (ProcessScenario row : rows) {
            columns.forEach(column -> row.unfit(column)
                    .ifPresentOrElse(
                            why -> unfit.computeIfAbsent(why, key -> new ArrayList<>())
                                    .add(nameOf(row, column)),
                            () -> places.add(new Place(row, column))));
        }
    }

    /** A cell that can be run. */
    private record Place(ProcessScenario row, Column column) {}

    private boolean admit(String name, Set<Need> needs, List<String> leftOut) {
        List<Need> missing =
                needs.stream().filter(need -> !need.isMetBy(database)).toList();
        missing.forEach(need -> leftOut.add(name + " " + need));
        return missing.isEmpty();
    }

    /** Returns the number of cells. */
    public int size() {
        return places.size();
    }

    /** Returns the columns that can be run. */
    public List<Column> columns() {
        return columns;
    }

    /** Returns the cells that are not run, by the reason. */
    public Map<String, List<String>> unfit() {
        return unfit;
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
        List<Cell> done = new CopyOnWriteArrayList<>();
        Consumer<Cell> finished = cell -> {
            done.add(cell);
            progress.accept(cell);
        };
        // Libraries wait longer: some have long leases.
        int atOnce = columns.stream().anyMatch(Library.class::isInstance) ? 2 * AT_ONCE : AT_ONCE;
        ExecutorService runs = Executors.newFixedThreadPool(atOnce);
        try {
            runs.invokeAll(runs(false, seeds, finished));
            for (Callable<Object> alone : runs(true, seeds, finished)) {
                runs.invokeAll(List.of(alone));
            }
        } finally {
            runs.shutdownNow();
            runs.awaitTermination(SHUTDOWN_SECONDS, TimeUnit.SECONDS);
        }
        return Matrix.of(
                done,
                rows.stream().map(ProcessScenario::name).toList(),
                columns.stream().map(Column::name).toList());
    }

    /** Returns the runs of the cells whose fault hits the server, or of the others. */
    private List<Callable<Object>> runs(boolean hitServer, int seeds, Consumer<Cell> finished) {
        return places.stream()
                .filter(place -> place.row().hitsServer() == hitServer)
                .map(place -> Executors.callable(() -> run(place.row(), place.column(), seeds, finished)))
                .toList();
    }

    private static String nameOf(ProcessScenario row, Column column) {
        return row.name() + " with " + column.name();
    }

    /** Returns the message of a failed run; of other exceptions also the type, because some have no message. */
    private static String reason(Throwable cause) {
        return String.valueOf(cause instanceof RunFailedException ? cause.getMessage() : cause);
    }

    /** Runs a cell; reports one that failed, unless it was interrupted. */
    private void run(ProcessScenario row, Column column, int seeds, Consumer<Cell> finished) {
        try {
            finished.accept(Matrix.cell(
                    row.name(),
                    column,
                    seeds,
                    seed -> outcome(row, column, RunPlan.of(row, column, seed)),
                    history -> verdict(history, row, column)));
        } catch (RuntimeException | Error e) { // A cell that nobody reports would be missing with exit status 0.
            if (!Thread.currentThread().isInterrupted()) {
                String why = nameOf(row, column) + ": " + reason(e);
                brokenDown.add(why);
                log.accept("not run: " + why);
            }
        }
    }

    /** Techniques are judged as in the simulation, libraries also by what their holders are told. */
    private Verdict verdict(History history, ProcessScenario row, Column column) {
        Claims claims = Matrix.claimsOf(column);
        Duration electionTime = row.hitsServer() ? database.electionTime() : Duration.ZERO;
        return column instanceof Library
                ? HolderCheck.check(history, claims, electionTime)
                : Checker.check(history, claims);
    }

    /**
     * Runs once, and once more after a failure of the study itself, which says nothing about the lock; on a busy
     * machine a second run may succeed.
     */
    private Outcome outcome(ProcessScenario row, Column column, RunPlan plan) {
        try {
            try {
                return ProcessRun.scenario(plan, database);
            } catch (RuntimeException e) {
                if (Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                log.accept(nameOf(row, column) + ": " + reason(e) + "; retrying once");
                return ProcessRun.scenario(plan, database);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RunFailedException("A run was interrupted", e);
        }
    }
}
