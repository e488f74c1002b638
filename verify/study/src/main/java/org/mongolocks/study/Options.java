package org.mongolocks.study;

import java.math.BigInteger;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.mongolocks.study.scenario.Scenarios;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/**
 * The options of the user.
 *
 * @param scenarios the rows
 * @param techniques the columns
 * @param seeds how many runs each cell has
 * @param seed the single run to show; empty for the matrix
 * @param out the directory for the output files, if any
 */
record Options(List<Scenario> scenarios, List<Technique> techniques, int seeds, OptionalLong seed, Optional<Path> out) {
    static final int DEFAULT_SEEDS = 3;
    /** A larger number would take days. */
    private static final int MAX_SEEDS = 100_000;

    static final String USAGE =
            "Usage: ./study [--scenario NAME] [--technique NAME] [--seeds N] [--seed X] [--uri URI] [--out DIR]"
                    + " [--table]; --help explains them";

    /**
     * Parses arguments.
     *
     * @throws IllegalArgumentException if one is invalid; the message says what is allowed
     */
    static Options parse(List<String> arguments) {
        Options options =
                new Options(Scenarios.all(), Techniques.all(), DEFAULT_SEEDS, OptionalLong.empty(), Optional.empty());
        Map<String, String> given = pairs(arguments, USAGE);
        for (Map.Entry<String, String> one : given.entrySet()) {
            options = options.with(one.getKey(), one.getValue());
        }
        options.requireCells();
        return options.checked(given.keySet());
    }

    private Options checked(Set<String> given) {
        boolean isOne = scenarios.size() == 1 && techniques.size() == 1;
        if (seed.isPresent() && !isOne) {
            throw new IllegalArgumentException("--seed shows one run: choose a --scenario and a --technique");
        }
        for (String option : List.of("--seeds", "--out")) {
            if (seed.isPresent() && given.contains(option)) {
                throw new IllegalArgumentException(
                        option + " is for the matrix, not for one run: leave out --seed or " + option);
            }
        }
        return this;
    }

    int cells() {
        return (int) scenarios.stream()
                .mapToLong(
                        scenario -> techniques.stream().filter(scenario::isFor).count())
                .sum();
    }

    private void requireCells() {
        if (cells() == 0) {
            throw new IllegalArgumentException("Scenario '" + scenarios.get(0).name()
                    + "' uses features that only this library has; its techniques are: "
                    + Techniques.shipped().stream().map(Technique::name).collect(Collectors.joining(", ")));
        }
    }

    private Options with(String option, String value) {
        return switch (option) {
            case "--scenario" -> new Options(scenario(value), techniques, seeds, seed, out);
            case "--technique" -> new Options(scenarios, technique(value), seeds, seed, out);
            case "--seeds" -> new Options(scenarios, techniques, seeds(option, value), seed, out);
            case "--seed" ->
                new Options(
                        scenarios,
                        techniques,
                        seeds,
                        OptionalLong.of(number(option, value, 0, Integer.MAX_VALUE)),
                        out);
            case "--out" -> new Options(scenarios, techniques, seeds, seed, Optional.of(directory(value)));
            default -> throw new IllegalArgumentException("Unknown option '" + option + "'. " + USAGE);
        };
    }

    private static List<Scenario> scenario(String name) {
        List<Scenario> found =
                Scenarios.all().stream().filter(one -> one.name().equals(name)).toList();
        return found(
                found,
                "scenario",
                name,
                Scenarios.all().stream().map(Scenario::name).toList());
    }

    private static List<Technique> technique(String name) {
        List<Technique> found =
                Techniques.all().stream().filter(one -> one.name().equals(name)).toList();
        return found(
                found,
                "technique",
                name,
                Techniques.all().stream().map(Technique::name).toList());
    }

    static <T> List<T> found(List<T> found, String kind, String name, List<String> known) {
        if (found.isEmpty()) {
            throw new IllegalArgumentException(
                    "Unknown " + kind + " '" + name + "'. Known: " + String.join(", ", known));
        }
        return found;
    }

    static Path directory(String value) {
        try {
            if (!value.isBlank()) {
                return Path.of(value);
            }
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("--out must be a directory, was '" + value + "'", e);
        }
        throw new IllegalArgumentException("--out must be a directory, was empty");
    }

    static int seeds(String option, String value) {
        return (int) number(option, value, 1, MAX_SEEDS);
    }

    static long number(String option, String value, long least, long most) {
        if (!value.matches("[+-]?[0-9]+")) {
            throw new IllegalArgumentException(option + " must be a whole number, was '" + value + "'");
        }
        BigInteger number = new BigInteger(value);
        if (number.compareTo(BigInteger.valueOf(least)) < 0) {
            throw new IllegalArgumentException(option + " must be at least " + least + ", was " + value);
        }
        if (number.compareTo(BigInteger.valueOf(most)) > 0) {
            throw new IllegalArgumentException(option + " must be at most " + most + ", was " + value);
        }
        return number.longValue();
    }

    /**
     * Returns the values by their options.
     *
     * @param usage a short help text for error messages
     * @return the values by their options, in the order given
     * @throws IllegalArgumentException if an option has no value, or is given twice
     */
    static Map<String, String> pairs(List<String> arguments, String usage) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException("'" + arguments.get(i) + "' has no value. " + usage);
            }
            if (pairs.put(arguments.get(i), arguments.get(i + 1)) != null) {
                throw new IllegalArgumentException("'" + arguments.get(i) + "' is given twice: leave one out");
            }
        }
        return pairs;
    }
}
