package org.mongolocks.benchmarks.jmh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.ResultsJson;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * The entry point of the JMH suite; it accepts the options of JMH. Unless the options say otherwise, an error ends the
 * run with exit status 1: a lost lock or a violation of mutual exclusion makes all figures worthless. With
 * {@code -figures FILE} before the options, the results are also written to the file, in the format of
 * {@code measurements} in {@code results.json}.
 */
public final class JmhMain {
    private static final String FAIL_ON_ERROR = "-foe";
    private static final String FIGURES = "-figures";

    private JmhMain() {}

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

    /** Runs the benchmarks and writes their results. */
    static void write(Path file, String... arguments) throws IOException, CommandLineOptionException, RunnerException {
        Runner runner = new Runner(new CommandLineOptions(strict(arguments)));
        Files.writeString(file, ResultsJson.of(JmhResultConverter.of(runner.run())));
    }

    static String[] strict(String... arguments) {
        boolean decided = Arrays.asList(arguments).contains(FAIL_ON_ERROR);
        Stream<String> strict = decided ? Stream.empty() : Stream.of(FAIL_ON_ERROR, "true");
        return Stream.concat(strict, Arrays.stream(arguments)).toArray(String[]::new);
    }
}
