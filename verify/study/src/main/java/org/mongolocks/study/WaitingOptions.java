package org.mongolocks.study;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;
import org.mongolocks.study.waiting.WaitingCase;
import org.mongolocks.study.waiting.WaitingGoal;

/**
 * The options of the user for measuring what waiting costs.
 *
 * @param clients the numbers of clients
 * @param locks the numbers of locks
 * @param technique the only technique; empty for all
 * @param seed the seed of the runs
 * @param onlyGoals whether the goals are measured, and nothing else
 * @param out the directory for the output files, if any
 */
record WaitingOptions(
        List<Integer> clients,
        List<Integer> locks,
        Optional<Technique> technique,
        long seed,
        boolean onlyGoals,
        Optional<Path> out) {
    private static final String WAITING = "--waiting";
    private static final String GOALS = "--goals";
    private static final String USAGE =
            "Usage: ./study --waiting [--clients N,N] [--locks N,N] [--technique NAME] [--seed X] [--out DIR]"
                    + " [--goals | --table]; --help explains them";

    /** The technique that is measured with all loads unless the user chooses one. */
    private static final String DETAILED = "findandmodify-counter";

    private static final int MAX_CLIENTS = 2_000;
    private static final int MAX_LOCKS = 100_000;

    private static final WaitingOptions DEFAULT = new WaitingOptions(
            List.of(1, 4, 16, 64, 256, 1_000), List.of(1, 10_000), Optional.empty(), 1, false, Optional.empty());

    static boolean isMeant(List<String> arguments) {
        return arguments.contains(WAITING);
    }

    /**
     * Parses arguments.
     *
     * @throws IllegalArgumentException if one is invalid; the message says what is allowed
     */
    static WaitingOptions parse(List<String> arguments) {
        List<String> others = new ArrayList<>(arguments);
        others.remove(WAITING);
        boolean onlyGoals = others.remove(GOALS);
        for (String flag : List.of(WAITING, GOALS)) {
            if (others.contains(flag)) {
                throw new IllegalArgumentException("'" + flag + "' is given twice: leave one out");
            }
        }
        WaitingOptions options = new WaitingOptions(
                DEFAULT.clients, DEFAULT.locks, DEFAULT.technique, DEFAULT.seed, onlyGoals, DEFAULT.out);
        for (Map.Entry<String, String> one : Options.pairs(others, USAGE).entrySet()) {
            options = options.with(one.getKey(), one.getValue());
        }
        return options;
    }

    private WaitingOptions with(String option, String value) {
        return switch (option) {
            case "--clients" ->
                new WaitingOptions(numbers(option, value, MAX_CLIENTS), locks, technique, seed, onlyGoals, out);
            case "--locks" ->
                new WaitingOptions(clients, numbers(option, value, MAX_LOCKS), technique, seed, onlyGoals, out);
            case "--technique" -> new WaitingOptions(clients, locks, Optional.of(shipped(value)), seed, onlyGoals, out);
            case "--seed" ->
                new WaitingOptions(
                        clients, locks, technique, Options.number(option, value, 0, Integer.MAX_VALUE), onlyGoals, out);
            case "--out" ->
                new WaitingOptions(clients, locks, technique, seed, onlyGoals, Optional.of(Options.directory(value)));
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

    /** Returns the runs, if no goals are measured instead. */
    List<WaitingCase> cases() {
        return WaitingCase.all(technique.map(List::of).orElseGet(Techniques::shipped), detailed(), clients, locks);
    }

    /** Returns the goals to measure: none, or all. */
    List<WaitingGoal> goals() {
        return onlyGoals ? WaitingGoal.all(detailed()) : List.of();
    }

    private Technique detailed() {
        return technique.orElseGet(() -> shipped(DETAILED));
    }
}
