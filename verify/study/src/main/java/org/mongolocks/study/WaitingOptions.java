package org.mongolocks.study;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;
import org.mongolocks.study.waiting.WaitingCase;

/**
 * The options of the user for measuring what waiting costs.
 *
 * @param clients the numbers of clients
 * @param locks the numbers of locks
 * @param technique the only technique; empty for all
 * @param seed the seed of the runs
 * @param out the directory for the output files, if any
 */
record WaitingOptions(
        List<Integer> clients, List<Integer> locks, Optional<Technique> technique, long seed, Optional<Path> out) {
    private static final String WAITING = "--waiting";
    private static final String USAGE =
            "Usage: ./study --waiting [--clients N,N] [--locks N,N] [--technique NAME] [--seed X] [--out DIR] [--table];"
                    + " --help explains them";

    /** The technique that is measured with all loads unless the user chooses one. */
    private static final String DETAILED = "findandmodify-counter";

    private static final int MAX_CLIENTS = 2_000;
    private static final int MAX_LOCKS = 100_000;

    private static final WaitingOptions DEFAULT = new WaitingOptions(
            List.of(1, 4, 16, 64, 256, 1_000), List.of(1, 10_000), Optional.empty(), 1, Optional.empty());

    static boolean isMeant(List<String> arguments) {
        return arguments.contains(WAITING);
    }

    /**
     * Parses arguments.
     *
     * @throws IllegalArgumentException if one is invalid; the message says what is allowed
     */
    static WaitingOptions parse(List<String> arguments) {
        List<String> others =
                arguments.stream().filter(each -> !each.equals(WAITING)).toList();
        if (others.size() + 1 < arguments.size()) {
            throw new IllegalArgumentException("'" + WAITING + "' is given twice: leave one out");
        }
        WaitingOptions options = DEFAULT;
        for (Map.Entry<String, String> one : Options.pairs(others, USAGE).entrySet()) {
            options = options.with(one.getKey(), one.getValue());
        }
        return options;
    }

    private WaitingOptions with(String option, String value) {
        return switch (option) {
            case "--clients" -> new WaitingOptions(numbers(option, value, MAX_CLIENTS), locks, technique, seed, out);
            case "--locks" -> new WaitingOptions(clients, numbers(option, value, MAX_LOCKS), technique, seed, out);
            case "--technique" -> new WaitingOptions(clients, locks, Optional.of(shipped(value)), seed, out);
            case "--seed" ->
                new WaitingOptions(clients, locks, technique, Options.number(option, value, 0, Integer.MAX_VALUE), out);
            case "--out" -> new WaitingOptions(clients, locks, technique, seed, Optional.of(Options.directory(value)));
            default -> throw new IllegalArgumentException("Unknown option '" + option + "'. " + USAGE);
        };
    }

    private static List<Integer> numbers(String option, String value, int most) {
        return Stream.of(value.split(",", -1))
                .map(each -> (int) Options.number(option, each, 1, most))
                .sorted()
                .distinct()
                .toList();
    }

    private static Technique shipped(String name) {
        List<Technique> all = Techniques.shipped();
        return Options.found(
                        all.stream().filter(one -> one.name().equals(name)).toList(),
                        "strategy",
                        name,
                        all.stream().map(Technique::name).toList())
                .get(0);
    }

    /** Returns the runs. */
    List<WaitingCase> cases() {
        return WaitingCase.all(
                technique.map(List::of).orElseGet(Techniques::shipped),
                technique.orElseGet(() -> shipped(DETAILED)),
                clients,
                locks);
    }
}
