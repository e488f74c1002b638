package org.mongolocks.study;

import static org.mongolocks.reporting.ProgramArguments.invalid;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.mongolocks.reporting.ProgramArguments;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/** The options that {@code ./study} and {@code ./soak} share, and the checks of their values. */
abstract class ProgramOptions {
    private static final List<String> HELP = List.of("-h", "--help");

    @Option(names = "--uri", paramLabel = "URI")
    private @Nullable String uri;

    @Option(names = "--seed", paramLabel = "N")
    private @Nullable Long seed;

    @Option(names = "--out", paramLabel = "DIR")
    private @Nullable Path out;

    /**
     * Parses arguments into the fields.
     *
     * @return the options given
     * @throws IllegalArgumentException if an argument is invalid; the message says what is allowed
     */
    final ParseResult read(List<String> arguments) {
        ParseResult given = ProgramArguments.parse(
                new CommandLine(this).registerConverter(Long.class, ProgramOptions::wholeNumber),
                arguments.toArray(String[]::new));
        if (out != null && out.toString().isBlank()) {
            throw invalid("--out must be a directory, was empty");
        }
        seed().ifPresent(number -> within("--seed", number, 0, Integer.MAX_VALUE));
        return given;
    }

    private static Long wholeNumber(String value) {
        if (!value.matches("[+-]?[0-9]{1,18}")) {
            throw new TypeConversionException("'" + value + "' is not a whole number of at most 18 digits");
        }
        return Long.valueOf(value);
    }

    /** Returns a number that has bounds. */
    static int within(String option, long value, int least, int most) {
        if (value < least || value > most) {
            throw invalid(option + " must be from " + least + " to " + most + ", was " + value);
        }
        return (int) value;
    }

    /** Returns the element of a name, or all without a name. */
    static <T> List<T> named(@Nullable String name, String kind, List<T> all, Function<T, String> nameOf) {
        List<T> found = all.stream()
                .filter(one -> name == null || name.equals(nameOf.apply(one)))
                .toList();
        if (found.isEmpty()) {
            String known = all.stream().map(nameOf).collect(Collectors.joining(", "));
            throw invalid("Unknown " + kind + " '" + name + "'. Known: " + known);
        }
        return found;
    }

    /** Returns the connection string of the server, or {@code embedded}. */
    final Optional<String> uri() {
        return Optional.ofNullable(uri);
    }

    final Optional<Long> seed() {
        return Optional.ofNullable(seed);
    }

    /** Returns the directory for the output files, if any. */
    final Optional<Path> out() {
        return Optional.ofNullable(out);
    }

    /** Returns whether the arguments ask for the help text, even if others are invalid. */
    static boolean askForHelp(List<String> arguments) {
        return HELP.stream().anyMatch(arguments::contains);
    }
}
