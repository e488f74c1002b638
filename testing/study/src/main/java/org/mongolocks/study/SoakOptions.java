package org.mongolocks.study;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.mongolocks.study.process.RunPlan;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of {@code ./soak}; the file {@code soak-usage.txt} explains them. */
@Command(name = "soak")
final class SoakOptions extends ProgramOptions {
    private static final int MAX_MINUTES = 10_000;
    private static final int MIN_CLIENTS = 2;
    private static final int MAX_RANDOM_SEED = 1_000_000;

    @Option(names = "--minutes", paramLabel = "N")
    private Long minutes = 10L;

    @Option(names = "--clients", paramLabel = "N")
    private Long clients = 4L;

    @Option(names = "--strategy", paramLabel = "NAME")
    private List<String> strategies = List.of();

    /**
     * Parses arguments.
     *
     * @throws IllegalArgumentException if one is invalid; the message says what is allowed
     */
    static SoakOptions parse(List<String> arguments) {
        SoakOptions options = new SoakOptions();
        options.read(arguments);
        return options;
    }

    /**
     * Returns the run, with a random seed unless one was given.
     *
     * @throws IllegalArgumentException if a number or a strategy is invalid; the message says what is allowed
     */
    RunPlan plan() {
        return RunPlan.soak(
                strategies.isEmpty()
                        ? Techniques.shipped()
                        : strategies.stream().map(SoakOptions::strategy).toList(),
                within("--clients", clients, MIN_CLIENTS, RunPlan.MAX_CLIENTS),
                Duration.ofMinutes(within("--minutes", minutes, 1, MAX_MINUTES)),
                seed().orElseGet(() -> (long) new SecureRandom().nextInt(MAX_RANDOM_SEED)));
    }

    /** Returns a strategy by its name, or by that of its class. */
    private static Technique strategy(String name) {
        return name.contains(".")
                ? RealTechniques.named(name)
                : named(name, "strategy", Techniques.shipped(), Technique::name).get(0);
    }
}
