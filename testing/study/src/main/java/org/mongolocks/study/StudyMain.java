package org.mongolocks.study;

import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.reporting.ProgramArguments;
import org.mongolocks.study.check.Checker;
import org.mongolocks.study.check.Checker.Verdict;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.example.CounterExample;
import org.mongolocks.study.example.EventDescription;
import org.mongolocks.study.history.History;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.ExampleTracing;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.matrix.MatrixText;
import org.mongolocks.study.report.StudyFiles;
import org.mongolocks.study.report.StudySummary;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Simulation;
import org.mongolocks.study.sim.Simulation.Traced;
import org.mongolocks.study.technique.Technique;

/**
 * The main program. It runs the study and prints its matrix, or shows a single run with its history and its violations.
 */
public final class StudyMain {
    private static final int BAD_ARGUMENTS = 2;
    /**
     * Kept in a field, because a logger without a reference loses its level. Warnings about simulated faults are
     * expected.
     */
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");

    /**
     * Limits the driver's log, because injected faults cause many messages; the final error is in the exception's
     * message.
     */
    private static final String DRIVERS = "org.slf4j.simpleLogger.defaultLogLevel";

    private StudyMain() {}

    /**
     * Runs the program.
     *
     * @param arguments see the file {@code usage.txt}
     */
    public static void main(String[] arguments) {
        silenceLogs();
        int status = run(List.of(arguments), System.out, System.err);
        if (status != 0) {
            System.exit(status);
        }
    }

    /** Switches off the logs of this library, and those of the driver unless a level is set. */
    static void silenceLogs() {
        LOCKS.setLevel(Level.OFF);
        System.setProperty(DRIVERS, System.getProperty(DRIVERS, "off"));
    }

    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        try {
            if (ProgramOptions.askForHelp(arguments)) {
                out.print(ProgramArguments.usage(StudyMain.class, "usage.txt"));
                return written(out, err);
            }
            StudyOptions options = StudyOptions.parse(arguments);
            Terminal terminal = new Terminal(out, err, options.table());
            if (options.hasProcesses()) {
                int status = new ProcessStudyMain(options, options.columns(), terminal).run();
                return status == 0 ? written(out, err) : status;
            }
            if (options.exhaustive()) {
                ExhaustiveMain.run(options.worlds(), options.twins(), options.out(), terminal);
            } else if (options.waiting()) {
                WaitingMain.run(options.techniques(), terminal);
            } else {
                options.seed().ifPresentOrElse(seed -> show(options, seed, terminal), () -> compare(options, terminal));
            }
            return written(out, err);
        } catch (IllegalArgumentException e) {
            return refused(String.valueOf(e.getMessage()), err);
        } catch (UncheckedIOException e) {
            return refused("cannot be written: " + e.getCause(), err);
        }
    }

    /**
     * The output of the program.
     *
     * @param out gets the results
     * @param err gets the progress
     * @param showsTable whether the results are the whole table instead of a summary
     */
    record Terminal(PrintStream out, PrintStream err, boolean showsTable) {
        /** Prints a matrix. */
        void print(Matrix matrix) {
            out.println(showsTable ? MatrixText.of(matrix) : StudySummary.of(matrix));
            out.println();
        }

        /** Says that a run was stopped. */
        void printMissing(int cells) {
            if (cells > 0) {
                out.println("STOPPED: these are the results so far, without " + SoakMain.count(cells, "cell")
                        + " that had not ended.");
            }
        }

        /** Says where the rest is, unless it was printed or written. */
        void printRest(Optional<Path> directory) {
            if (!showsTable && directory.isEmpty()) {
                out.println("All counts: --table. Counter-examples: --out DIR writes DIR/study.html."
                        + " More runs: --seeds N.");
            }
        }
    }

    private static int written(PrintStream out, PrintStream err) {
        return out.checkError() ? refused("the output cannot be written", err) : 0;
    }

    /** Prints the reason as one line, whatever it contains. */
    private static int refused(String why, PrintStream err) {
        err.println("study: " + why.replaceAll("\\p{Cntrl}", "?"));
        return BAD_ARGUMENTS;
    }

    private static void compare(StudyOptions options, Terminal terminal) {
        Optional<StudyFiles> files = options.out().map(StudyFiles::new);
        files.ifPresent(StudyFiles::prepare);
        Comparison run = new Comparison(options, terminal, files, Instant.now());
        Progress progress = new Progress(options.cells(), terminal.err());
        List<Scenario> scenarios = options.scenarios();
        List<Technique> techniques = options.techniques();
        try (ResultsSoFar<Cell> sofar = new ResultsSoFar<>(run::stopped)) {
            Matrix matrix = Matrix.run(scenarios, techniques, options.seeds(), sofar.andThen(progress));
            Matrix traced = files.isPresent() ? new ExampleTracing(scenarios, techniques).of(matrix) : matrix;
            sofar.print(() -> run.print(traced, 0));
        }
        terminal.printRest(options.out());
    }

    /** A run of the matrix, whose results are printed and written when it ends or is stopped. */
    private record Comparison(StudyOptions options, Terminal terminal, Optional<StudyFiles> files, Instant startedAt) {

        void stopped(List<Cell> cells) {
            List<String> rows = options.scenarios().stream().map(Scenario::name).toList();
            List<String> columns =
                    options.techniques().stream().map(Technique::name).toList();
            print(Matrix.of(cells, rows, columns), options.cells() - cells.size());
        }

        void print(Matrix matrix, int missing) {
            PrintStream out = terminal.out();
            terminal.print(matrix);
            terminal.printMissing(missing);
            out.println(SoakMain.count(options.seeds(), "seed") + ", " + SoakMain.count(matrix.runs(), "run") + ", "
                    + SoakMain.count(matrix.events(), "event") + " in "
                    + SoakMain.count(Duration.between(startedAt, Instant.now()).toSeconds(), "second"));
            files.ifPresent(to -> {
                to.write(matrix, Optional.empty(), missing, abouts(options.scenarios()), startedAt);
                out.println(to.written());
            });
        }
    }

    private static Map<String, String> abouts(List<Scenario> scenarios) {
        return scenarios.stream().collect(Collectors.toMap(Scenario::name, Scenario::about));
    }

    private static void show(StudyOptions options, long seed, Terminal terminal) {
        Scenario scenario = options.scenarios().get(0);
        Technique technique = options.techniques().get(0);
        Traced run = Simulation.trace(scenario, technique, seed);
        History history = run.outcome().history();
        EventDescription.all(history.events(), run.commands()).stream()
                .map(EventDescription::line)
                .forEach(terminal.out()::println);
        Verdict verdict = Checker.check(history, Matrix.claimsOf(technique), scenario.bounds());
        Stream.of(Finding.values())
                .flatMap(finding -> verdict.first(finding).stream())
                .map(violation -> "\n"
                        + CounterExample.of(history, violation)
                                .with(run.commands())
                                .text())
                .forEach(terminal.out()::println);
    }

    /** Prints the progress of a run, a line for each tenth of it; nothing if the run is short. Thread-safe. */
    static final class Progress implements Consumer<Cell> {
        private static final int PARTS = 10;

        private final AtomicInteger done = new AtomicInteger();
        private final int cells;
        private final PrintStream err;

        Progress(int cells, PrintStream err) {
            this.cells = cells;
            this.err = err;
            if (cells >= PARTS) {
                err.println("study: " + cells + " cells; Ctrl-C ends the run with the results so far");
            }
        }

        @Override
        public void accept(Cell cell) {
            int now = done.incrementAndGet();
            if (cells >= PARTS && now * PARTS / cells > (now - 1) * PARTS / cells) {
                err.println("study: " + now + " of " + cells + " cells");
            }
        }
    }
}
