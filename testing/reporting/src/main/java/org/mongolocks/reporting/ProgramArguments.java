package org.mongolocks.reporting;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The arguments of a program, parsed by picocli into the fields of its options. */
public final class ProgramArguments {
    private static final String SEE_HELP = " (see --help)";

    private ProgramArguments() {}

    /**
     * Parses arguments.
     *
     * @param options an object with fields that are picocli's options
     * @return the options given
     * @throws IllegalArgumentException if an argument is invalid; the message says what is allowed
     */
    public static ParseResult parse(CommandLine options, String... arguments) {
        try {
            return options.setExpandAtFiles(false).parseArgs(arguments);
        } catch (ParameterException e) {
            throw new IllegalArgumentException(e.getMessage() + SEE_HELP, e);
        }
    }

    /** Returns the exception for an argument that is invalid; its message refers to the help text. */
    public static IllegalArgumentException invalid(String reason) {
        return new IllegalArgumentException(reason + SEE_HELP);
    }

    /** Returns a help text. It is a resource file so that a script can print it without a build. */
    public static String usage(Class<?> owner, String file) {
        try (InputStream in = Objects.requireNonNull(owner.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
