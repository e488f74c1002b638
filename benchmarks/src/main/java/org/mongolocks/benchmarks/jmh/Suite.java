package org.mongolocks.benchmarks.jmh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.MeasurementJson;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * Starts JMH, with its own options. Unless they say otherwise, an error ends the run with exit status 1: a lock that was
 * lost or a witness that saw two holders makes all figures worthless. With {@code -figures FILE} before them, the figures
 * are written to the file too, as the {@code measurements} of {@code results.json}.
 */
public final class Suite {
    private static final String FAIL_ON_ERROR = "-foe";
    private static final String FIGURES = "-figures";

    private Suite() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 2 || !arguments[0].equals(FIGURES)) {
            Main.main(strict(arguments));
            return;
        }
        try {
            write(Path.of(arguments[1]), Arrays.copyOfRange(arguments, 2, arguments.length));
        } catch (CommandLineOptionException | RunnerException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    /** Runs, and writes the figures. */
    static void write(Path file, String... arguments) throws IOException, CommandLineOptionException, RunnerException {
        Runner runner = new Runner(new CommandLineOptions(strict(arguments)));
        Files.writeString(file, MeasurementJson.document(Figures.of(runner.run())));
    }

    static String[] strict(String... arguments) {
        boolean decided = Arrays.asList(arguments).contains(FAIL_ON_ERROR);
        Stream<String> strict = decided ? Stream.empty() : Stream.of(FAIL_ON_ERROR, "true");
        return Stream.concat(strict, Arrays.stream(arguments)).toArray(String[]::new);
    }
}
