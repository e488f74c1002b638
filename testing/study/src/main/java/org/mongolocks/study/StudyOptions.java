package org.mongolocks.study;

import static org.mongolocks.reporting.ProgramArguments.invalid;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.mongolocks.peers.PeerLibraries;
import org.mongolocks.peers.PeerLibrary;
import org.mongolocks.study.exhaustive.SmallWorld;
import org.mongolocks.study.exhaustive.SmallWorlds;
import org.mongolocks.study.exhaustive.Twin;
import org.mongolocks.study.process.ProcessScenario;
import org.mongolocks.study.scenario.Scenarios;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.technique.Column;
import org.mongolocks.study.technique.Library;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The options of {@code ./study}; the file {@code usage.txt} explains them. */
@Command(name = "study")
final class StudyOptions extends ProgramOptions {
    private static final int DEFAULT_SEEDS = 3;
    private static final int SEEDS_OF_A_QUICK_RUN = 2;
    /** Small, because each run takes seconds and several processes. */
    private static final int DEFAULT_SEEDS_OF_PROCESSES = 1;
    /** A larger number would take days. */
    private static final int MAX_SEEDS = 100_000;

    @Option(names = "--scenario", paramLabel = "NAME")
    private @Nullable String scenario;

    @Option(names = "--technique", paramLabel = "NAME")
    private @Nullable String technique;

    @Option(names = "--seeds", paramLabel = "N")
    private @Nullable Long seeds;

    @Option(names = "--quick")
    private boolean quick;

    @Option(names = "--table")
    private boolean table;

    @Option(names = "--exhaustive")
    private boolean exhaustive;

    @Option(names = "--waiting")
    private boolean waiting;

    @Option(names = "--libraries")
    private boolean libraries;

    @Option(names = "--redis", paramLabel = "URI")
    private @Nullable String redis;

    @Option(names = "--postgresql", paramLabel = "URL")
    private @Nullable String postgresql;

    /**
     * Parses arguments.
     *
     * @throws IllegalArgumentException if one is invalid; the message says what is allowed
     */
    static StudyOptions parse(List<String> arguments) {
        StudyOptions options = new StudyOptions();
        options.requireOneUse(options.read(arguments));
        return options;
    }

    private void requireOneUse(ParseResult given) {
        if (seeds != null) {
            within("--seeds", seeds, 1, MAX_SEEDS);
        }
        if (libraries) {
            String reason = " runs real processes";
            exclude(given, "--libraries", reason, "--quick", "--seed", "--exhaustive", "--waiting");
            return;
        }
        if (redis != null || postgresql != null) {
            throw invalid("--redis and --postgresql are servers for --libraries");
        }
        if (quick) {
            String reason = " chooses rows of the simulation";
            exclude(given, "--quick", reason, "--scenario", "--seed", "--uri", "--exhaustive", "--waiting");
        }
        if (exhaustive) {
            String reason = " searches all interleavings";
            exclude(given, "--exhaustive", reason, "--scenario", "--seeds", "--seed", "--uri", "--table", "--waiting");
            return;
        }
        if (waiting) {
            String reason = " measures in the simulation, without faults";
            exclude(given, "--waiting", reason, "--scenario", "--seeds", "--seed", "--uri", "--table", "--out");
            return;
        }
        requireRuns(given);
    }

    private void requireRuns(ParseResult given) {
        if (seed().isPresent()) {
            exclude(given, "--seed", " replays one run of the simulation", "--uri", "--seeds", "--out", "--table");
            if (scenario == null || technique == null) {
                throw invalid("--seed shows one run: choose a --scenario and a --technique");
            }
        }
        if (uri().isEmpty() && cells() == 0) {
            throw invalid("Scenario '" + scenario + "' uses features that only this library has; its techniques are: "
                    + Techniques.shipped().stream().map(Technique::name).collect(Collectors.joining(", ")));
        }
    }

    private static void exclude(ParseResult given, String option, String reason, String... others) {
        for (String other : others) {
            if (given.hasMatchedOption(other)) {
                throw invalid(option + reason + ": leave out " + option + " or " + other);
            }
        }
    }

    /** Returns whether the output is the whole table instead of a summary. */
    boolean table() {
        return table;
    }

    /** Returns how many runs each cell has. */
    int seeds() {
        int ofSimulation = quick ? SEEDS_OF_A_QUICK_RUN : DEFAULT_SEEDS;
        int otherwise = !libraries && uri().isPresent() ? DEFAULT_SEEDS_OF_PROCESSES : ofSimulation;
        return seeds == null ? otherwise : seeds.intValue();
    }

    /** Returns the rows in the simulation. */
    List<Scenario> scenarios() {
        List<Scenario> all = Scenarios.all();
        return quick
                ? all.stream().filter(Scenarios::isTelling).toList()
                : named(scenario, "scenario", all, Scenario::name);
    }

    /** Returns the rows with real processes. */
    List<ProcessScenario> processScenarios() {
        List<ProcessScenario> all = libraries ? ProcessScenario.ofLibraries() : ProcessScenario.all();
        return named(scenario, "scenario of real processes", all, ProcessScenario::name);
    }

    /** Returns the columns. */
    List<Technique> techniques() {
        if (waiting) {
            return named(technique, "strategy", Techniques.shipped(), Technique::name);
        }
        List<Technique> all = uri().isPresent() ? RealTechniques.all() : Techniques.all();
        return named(technique, "technique", all, Technique::name);
    }

    /** Returns the columns with real processes. */
    List<? extends Column> columns() {
        return libraries
                ? named(technique, "library", PeerLibraries.all(), PeerLibrary::name).stream()
                        .map(Library::new)
                        .toList()
                : techniques();
    }

    /** Returns whether libraries are run. */
    boolean libraries() {
        return libraries;
    }

    /** Returns whether real processes are run. */
    boolean hasProcesses() {
        return libraries || uri().isPresent();
    }

    Optional<String> redis() {
        return Optional.ofNullable(redis);
    }

    Optional<String> postgresql() {
        return Optional.ofNullable(postgresql);
    }

    /** Returns the number of cells in the simulation. */
    int cells() {
        List<Technique> columns = techniques();
        return (int) scenarios().stream()
                .flatMap(row -> columns.stream().filter(row::isFor))
                .count();
    }

    /** Returns whether the program searches small worlds. */
    boolean exhaustive() {
        return exhaustive;
    }

    /** Returns the worlds to search. */
    List<SmallWorld> worlds() {
        List<Technique> wanted = techniques();
        return SmallWorlds.all().stream()
                .filter(world -> wanted.stream()
                        .anyMatch(each -> each.name().equals(world.technique().name())))
                .toList();
    }

    /** Returns the strategies with a mistake in which something must be found. */
    List<Twin> twins() {
        List<Technique> wanted = techniques();
        return Twin.all().stream()
                .filter(twin -> wanted.stream().anyMatch(each -> each.name().equals(twin.strategy())))
                .toList();
    }

    /** Returns whether the program measures what waiting costs. */
    boolean waiting() {
        return waiting;
    }
}
