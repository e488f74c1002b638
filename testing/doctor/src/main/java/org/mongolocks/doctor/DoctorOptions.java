package org.mongolocks.doctor;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.reporting.ProgramArguments;
import org.mongolocks.reporting.server.Target;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The arguments of the program; the file {@code usage.txt} explains them. */
@Command(name = "doctor")
final class DoctorOptions {
    private static final String DEFAULT_DATABASE = "test";

    @Option(names = "--uri", paramLabel = "URI")
    private @Nullable String uri;

    @Option(names = "--database", paramLabel = "D")
    private @Nullable String database;

    @Option(names = "--collection", paramLabel = "C")
    private @Nullable String collection;

    @Option(names = "--strategy", paramLabel = "S")
    private @Nullable String strategy;

    @Option(names = "--json")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true)
    private boolean help;

    private DoctorOptions() {}

    /**
     * Parses the arguments.
     *
     * @throws IllegalArgumentException if they are invalid; the message says why, without the URI
     */
    static DoctorOptions parse(String... arguments) {
        DoctorOptions options = new DoctorOptions();
        ProgramArguments.parse(new CommandLine(options), arguments);
        if (!options.help && options.uri == null) {
            throw ProgramArguments.invalid("--uri is missing");
        }
        return options;
    }

    boolean help() {
        return help;
    }

    boolean json() {
        return json;
    }

    /** Returns the connection string of the deployment, or {@code embedded}. */
    String uri() {
        return uri == null ? "" : uri;
    }

    /** Returns the database of the locks. */
    String database() {
        String named = Target.EMBEDDED.equals(uri) ? null : Target.parse(uri()).getDatabase();
        String chosen = database != null ? database : named != null ? named : DEFAULT_DATABASE;
        if (!chosen.matches("[^/\\\\. \"$\\x00]{1,63}")) {
            throw new IllegalArgumentException("--database must be the name of a database, was '" + chosen + "'");
        }
        return chosen;
    }

    /** Returns the collection of the locks, if one is named. */
    Optional<String> collection() {
        if (collection != null) {
            ClientOptions.requireCollection(collection);
        }
        return Optional.ofNullable(collection);
    }

    /** Returns the strategies to check. */
    List<LockStrategy> strategies() {
        try {
            return strategy == null ? LockStrategies.all() : List.of(LockStrategies.named(strategy));
        } catch (LockException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
