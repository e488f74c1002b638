package org.mongolocks.study;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.mongolocks.peers.PeerLibrary;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.process.OtherServers;
import org.mongolocks.study.process.ProcessMatrix;
import org.mongolocks.study.process.ProcessScenario;
import org.mongolocks.study.process.RunFailedException;
import org.mongolocks.study.process.TestDatabase;
import org.mongolocks.study.report.LibraryTable;
import org.mongolocks.study.report.StudyFiles;
import org.mongolocks.study.report.StudyFiles.StudyEnvironment;
import org.mongolocks.study.technique.Column;
import org.mongolocks.study.technique.Library;

/** The study with real processes on a server; prints its summary or its matrix. */
final class ProcessStudyMain {
    private static final int BROKEN_DOWN = 1;
    private static final int NOT_RUN = 4;

    private final StudyOptions options;
    private final List<ProcessScenario> rows;
    private final List<? extends Column> columns;
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
    ProcessStudyMain(StudyOptions options, List<? extends Column> columns, StudyMain.Terminal terminal) {
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
        OtherServers servers =
                options.libraries() ? OtherServers.of(options.redis(), options.postgresql()) : OtherServers.NONE;
        try (TestDatabase database = TestDatabase.at(options.uri().orElse("embedded"), servers)) {
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

    private static List<PeerLibrary> peers(List<? extends Column> columns) {
        return columns.stream().map(Library.class::cast).map(Library::peer).toList();
    }

    /** Prints the findings; returns false if some cells failed and are missing. */
    private boolean compare(TestDatabase database) throws InterruptedException {
        String server = database.description();
        ProcessMatrix places = new ProcessMatrix(database, rows, columns, line -> err.println("study: " + line));
        Function<Matrix, Optional<LibraryTable>> libraries = matrix -> options.libraries()
                ? Optional.of(LibraryTable.of(matrix, peers(places.columns()), places.unfit()))
                : Optional.empty();
        err.println("study: real processes on " + server);
        Instant startedAt = Instant.now();
        Thread main = Thread.currentThread();
        try (ResultsSoFar<Cell> sofar = new ResultsSoFar<>(cells -> {
            List<String> names = rows.stream().map(ProcessScenario::name).toList();
            List<String> techniques =
                    places.columns().stream().map(Column::name).toList();
            Matrix matrix = Matrix.of(cells, names, techniques);
            print(matrix, libraries.apply(matrix), places.size() - cells.size(), server, startedAt);
            main.interrupt();
            ResultsSoFar.await(ended);
        })) {
            Matrix matrix = places.run(options.seeds(), sofar.andThen(new StudyMain.Progress(places.size(), err)));
            sofar.print(() -> print(matrix, libraries.apply(matrix), 0, server, startedAt));
        }
        terminal.printRest(options.out());
        places.brokenDown().forEach(cause -> out.println("NOT RUN: " + cause));
        return places.brokenDown().isEmpty();
    }

    private void print(Matrix matrix, Optional<LibraryTable> libraries, int missing, String server, Instant startedAt) {
        libraries.ifPresent(table -> out.println(table.text()));
        if (libraries.isEmpty() || options.table()) {
            terminal.print(matrix);
        }
        terminal.printMissing(missing);
        out.println(SoakMain.count(matrix.runs(), "run") + " with real processes on " + server + ", "
                + SoakMain.count(matrix.events(), "event") + " in "
                + SoakMain.count(Duration.between(startedAt, Instant.now()).toSeconds(), "second"));
        options.out().ifPresent(directory -> {
            StudyFiles files = new StudyFiles(directory, StudyEnvironment.realProcesses(server, options.libraries()));
            files.write(
                    matrix,
                    libraries,
                    missing,
                    rows.stream().collect(Collectors.toMap(ProcessScenario::name, ProcessScenario::about)),
                    startedAt);
            out.println(files.written());
        });
    }
}
