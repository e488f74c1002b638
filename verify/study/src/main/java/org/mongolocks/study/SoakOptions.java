package org.mongolocks.study;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mongolocks.study.process.parent.RealTechniques;
import org.mongolocks.study.process.soak.SoakPlan;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/**
 * The options of {@code ./soak}.
 *
 * @param uri the connection string of the server, or {@code embedded}
 * @param plan the run
 * @param out the directory for the output file, if any
 */
record SoakOptions(String uri, SoakPlan plan, Optional<Path> out) {
    static final String USAGE =
            "Use: soak [--minutes N] [--clients N] [--strategy NAME]... [--uri URI] [--seed N] [--out DIR]; --help"
                    + " explains them";

    private static final String EMBEDDED = "embedded";
    private static final int DEFAULT_MINUTES = 10;
    private static final int MAX_MINUTES = 10_000;
    private static final int DEFAULT_CLIENTS = 4;
    private static final int MIN_CLIENTS = 2;
    private static final int MAX_RANDOM_SEED = 1_000_000;
    private static final String STRATEGY = "--strategy";

    /**
     * Parses arguments.
     *
     * @throws IllegalArgumentException if one is invalid; the message says what is allowed
     */
    static SoakOptions parse(List<String> arguments) {
        List<Technique> chosen = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).equals(STRATEGY) && i + 1 < arguments.size()) {
                chosen.add(strategy(arguments.get(++i)));
            } else {
                others.add(arguments.get(i));
            }
        }
        SoakPlan plan = new SoakPlan(
                chosen.isEmpty() ? Techniques.shipped() : chosen,
                DEFAULT_CLIENTS,
                Duration.ofMinutes(DEFAULT_MINUTES),
                new SecureRandom().nextInt(MAX_RANDOM_SEED));
        SoakOptions options = new SoakOptions(EMBEDDED, plan, Optional.empty());
        for (var one : Options.pairs(others, USAGE).entrySet()) {
            options = options.with(one.getKey(), one.getValue());
        }
        return options;
    }

    private SoakOptions with(String option, String value) {
        return switch (option) {
            case "--minutes" ->
                with(new SoakPlan(
                        plan.techniques(),
                        plan.clients(),
                        Duration.ofMinutes(Options.number(option, value, 1, MAX_MINUTES)),
                        plan.seed()));
            case "--clients" ->
                with(new SoakPlan(
                        plan.techniques(),
                        (int) Options.number(option, value, MIN_CLIENTS, SoakPlan.MAX_CLIENTS),
                        plan.length(),
                        plan.seed()));
            case "--seed" ->
                with(new SoakPlan(
                        plan.techniques(),
                        plan.clients(),
                        plan.length(),
                        Options.number(option, value, 0, Integer.MAX_VALUE)));
            case "--uri" -> new SoakOptions(value, plan, out);
            case "--out" -> new SoakOptions(uri, plan, Optional.of(Options.directory(value)));
            default -> throw new IllegalArgumentException("Unknown option '" + option + "'. " + USAGE);
        };
    }

    private SoakOptions with(SoakPlan other) {
        return new SoakOptions(uri, other, out);
    }

    /** Returns a strategy by its name, or by that of its class. */
    private static Technique strategy(String name) {
        List<Technique> shipped = Techniques.shipped();
        if (name.contains(".")) {
            return RealTechniques.named(name);
        }
        return Options.found(
                        shipped.stream().filter(one -> one.name().equals(name)).toList(),
                        "strategy",
                        name,
                        shipped.stream().map(Technique::name).toList())
                .get(0);
    }
}
