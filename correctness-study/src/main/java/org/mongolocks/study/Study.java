package org.mongolocks.study;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.mongolocks.study.check.Checker;
import org.mongolocks.study.check.CounterExample;
import org.mongolocks.study.check.Finding;
import org.mongolocks.study.check.Told;
import org.mongolocks.study.check.Verdict;
import org.mongolocks.study.history.History;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.matrix.MatrixText;
import org.mongolocks.study.matrix.Tracing;
import org.mongolocks.study.report.StudyFiles;
import org.mongolocks.study.simulation.Simulation;
import org.mongolocks.study.simulation.Traced;

/** Runs the study and prints its matrix; or one run, with its history and what is wrong with it. */
public final class Study {
    private static final int BAD_ARGUMENTS = 2;
    /** Simulated faults are no news; a logger that nobody holds forgets its level. */
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");

    private Study() {}

    /**
     * Runs the program.
     *
     * @param arguments see {@link Options#USAGE}
     */
    public static void main(String[] arguments) {
        LOCKS.setLevel(Level.OFF);
        int status = run(List.of(arguments), System.out, System.err);
        if (status != 0) {
            System.exit(status);
        }
    }

    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        try {
            Options options = Options.parse(arguments);
            options.seed().ifPresentOrElse(seed -> show(options, seed, out), () -> compare(options, out, err));
            return 0;
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            return BAD_ARGUMENTS;
        }
    }

    private static void compare(Options options, PrintStream out, PrintStream err) {
        Optional<StudyFiles> files = options.out().map(StudyFiles::new);
        files.ifPresent(StudyFiles::prepare);
        Instant startedAt = Instant.now();
        long started = System.nanoTime();
        Progress progress =
                new Progress(options.scenarios().size() * options.techniques().size(), err);
        Matrix matrix = Matrix.run(options.scenarios(), options.techniques(), options.seeds(), progress);
        Duration duration = Duration.ofNanos(System.nanoTime() - started);
        out.println(MatrixText.of(matrix));
        out.println();
        out.println(options.seeds() + " seeds, " + matrix.runs() + " runs, " + matrix.events() + " events in "
                + duration.toSeconds() + " seconds");
        files.ifPresent(to -> {
            to.write(
                    new Tracing(options.scenarios(), options.techniques()).of(matrix),
                    options.scenarios(),
                    startedAt,
                    duration);
            out.println("Written: " + to.directory().resolve("study.json") + " and "
                    + to.directory().resolve("study.html"));
        });
    }

    private static void show(Options options, long seed, PrintStream out) {
        Traced run = Simulation.trace(
                options.scenarios().get(0), options.techniques().get(0), seed);
        History history = run.outcome().history();
        Told.all(history.events(), run.commands()).stream().map(Told::line).forEach(out::println);
        Verdict verdict =
                Checker.check(history, Matrix.claimsOf(options.techniques().get(0)));
        Stream.of(Finding.values())
                .flatMap(finding -> verdict.first(finding).stream())
                .map(violation -> "\n"
                        + CounterExample.of(history, violation)
                                .with(run.commands())
                                .text())
                .forEach(out::println);
    }
}
