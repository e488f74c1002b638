package org.mongolocks.study;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mongolocks.study.process.parent.ProcessScenario;
import org.mongolocks.study.process.parent.ProcessScenarios;
import org.mongolocks.study.process.parent.RealTechniques;
import org.mongolocks.study.technique.Technique;

/**
 * The options of the user for a study with a server and real processes.
 *
 * @param uri the connection string of the server, or {@code embedded}
 * @param rows the rows
 * @param columns the columns
 * @param seeds how many runs each cell has
 * @param out the directory for the output files, if any
 */
record ProcessOptions(String uri, List<ProcessScenario> rows, List<Technique> columns, int seeds, Optional<Path> out) {
    /** Small, because each run takes seconds and several processes. */
    static final int DEFAULT_SEEDS = 1;

    private static final String URI = "--uri";

    static boolean isMeant(List<String> arguments) {
        return arguments.contains(URI);
    }

    /**
     * Parses arguments.
     *
     * @throws IllegalArgumentException if one is invalid; the message says what is allowed
     */
    static ProcessOptions parse(List<String> arguments) {
        ProcessOptions options =
                new ProcessOptions("", ProcessScenarios.all(), RealTechniques.all(), DEFAULT_SEEDS, Optional.empty());
        for (Map.Entry<String, String> one :
                Options.pairs(arguments, Options.USAGE).entrySet()) {
            options = options.with(one.getKey(), one.getValue());
        }
        return options;
    }

    private ProcessOptions with(String option, String value) {
        return switch (option) {
            case URI -> new ProcessOptions(value, rows, columns, seeds, out);
            case "--scenario" -> new ProcessOptions(uri, row(value), columns, seeds, out);
            case "--technique" -> new ProcessOptions(uri, rows, column(value), seeds, out);
            case "--seeds" -> new ProcessOptions(uri, rows, columns, Options.seeds(option, value), out);
            case "--out" -> new ProcessOptions(uri, rows, columns, seeds, Optional.of(Options.directory(value)));
            case "--seed" ->
                throw new IllegalArgumentException("--seed replays a run of the simulator, and real processes cannot be"
                        + " replayed: leave out --seed or --uri");
            default -> throw new IllegalArgumentException("Unknown option '" + option + "'. " + Options.USAGE);
        };
    }

    private static List<ProcessScenario> row(String name) {
        List<ProcessScenario> all = ProcessScenarios.all();
        return Options.found(
                all.stream().filter(one -> one.name().equals(name)).toList(),
                "scenario of real processes",
                name,
                all.stream().map(ProcessScenario::name).toList());
    }

    private static List<Technique> column(String name) {
        List<Technique> all = RealTechniques.all();
        return Options.found(
                all.stream().filter(one -> one.name().equals(name)).toList(),
                "technique",
                name,
                all.stream().map(Technique::name).toList());
    }
}
