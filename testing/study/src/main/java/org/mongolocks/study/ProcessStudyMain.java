package org.mongolocks.study;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.process.ProcessMatrix;
import org.mongolocks.study.process.ProcessScenario;
import org.mongolocks.study.process.RunFailedException;
import org.mongolocks.study.process.TestDatabase;
import org.mongolocks.study.report.StudyFiles;
import org.mongolocks.study.report.StudyFiles.StudyEnvironment;
import org.mongolocks.study.technique.Technique;

/** The study with real processes on a server; prints its summary or its matrix. */
final class ProcessStudyMain {
    private static final int BROKEN_DOWN = 1;
    private static final int NOT_RUN = 4;

    private final StudyOptions options;
    private final List<ProcessScenario> rows;
    private final List<Technique> columns;
    private final StudyMain.Terminal terminal;
    private final PrintStream out;
    private final PrintStream err;
    /** Reached when the database is dropped. */
    private final CountDownLatch ended = new CountDownLatch(1);

    /**
     * Prepares a study.
     *
     * @throws IllegalArgumentException if there is no such scenario
     */
    ProcessStudyMain(StudyOptions options, List<Technique> columns, StudyMain.Terminal terminal) {
        this.options = options;
        this.rows = options.processScenarios();
        this.columns = columns;
        this.terminal = terminal;
        this.out = terminal.out();
        this.err = terminal.err();
    }

    /**
     * Runs the study.
     *
     * @return the exit status
     * @throws IllegalArgumentException if nothing can be run; the message says why
     */
    int run() {
        options.out().ifPresent(directory -> new StudyFiles(directory).prepare());
        try (TestDatabase database = TestDatabase.at(options.uri().orElseThrow())) {
            return compare(database) ? 0 : NOT_RUN;
        } catch (RunFailedException e) {
            err.println("study: " + e.getMessage());
        } catch (InterruptedException e) {
            err.println("study: interrupted");
        } finally {
            ended.countDown();
        }
        return BROKEN_DOWN;
    }

    /** Prints the findings; returns false if some cells failed and are missing. */
    private boolean compare(TestDatabase database) throws InterruptedException {
        String server = database.description();
        ProcessMatrix places = new ProcessMatrix(database, rows, columns, line -> err.println("study: " + line));
        err.println("study: real processes on " + server);
        Instant startedAt = Instant.now();
        Thread main = Thread.currentThread();
        try (ResultsSoFar<Cell> sofar = new ResultsSoFar<>(cells -> {
            List<String> names = rows.stream().map(ProcessScenario::name).toList();
            List<String> techniques = columns.stream().map(Technique::name).toList();
            print(Matrix.of(cells, names, techniques), places.size() - cells.size(), server, startedAt);
            main.interrupt();
            ResultsSoFar.await(ended);
        })) {
            Matrix matrix = places.run(options.seeds(), sofar.andThen(new StudyMain.Progress(places.size(), err)));
            sofar.print(() -> print(matrix, 0, server, startedAt));
        }
        terminal.printRest(options.out());
        places.brokenDown().forEach(cause -> out.println("NOT RUN: " + cause));
        return places.brokenDown().isEmpty();
    }

    private void print(Matrix matrix, int missing, String server, Instant startedAt) {
        terminal.print(matrix);
        terminal.printMissing(missing);
        out.println(SoakMain.count(matrix.runs(), "run") + " with real processes on " + server + ", "
                + SoakMain.count(matrix.events(), "event") + " in "
                + SoakMain.count(Duration.between(startedAt, Instant.now()).toSeconds(), "second"));
        options.out().ifPresent(directory -> {
            StudyFiles files = new StudyFiles(directory, StudyEnvironment.realProcesses(server));
            files.write(
                    matrix,
                    missing,
                    rows.stream().collect(Collectors.toMap(ProcessScenario::name, ProcessScenario::about)),
                    startedAt);
            out.println(files.written());
        });
    }
}
