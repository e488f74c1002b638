package org.mongolocks.benchmarks.cli;

import static java.util.stream.Collectors.joining;

import java.util.List;
import org.mongolocks.LockException;
import org.mongolocks.reporting.server.ConnectionErrors;
import org.mongolocks.reporting.server.UnusableInputException;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;

/**
 * The strategies that can be compared.
 *
 * @param strategies the strategies, looked up by name
 */
record Strategies(List<LockStrategy> strategies) {
    Strategies {
        strategies = List.copyOf(strategies);
    }

    /**
     * Finds all strategies on the class path.
     *
     * @throws UnusableInputException if two have the same name
     */
    static Strategies found() {
        try {
            return new Strategies(LockStrategies.all());
        } catch (LockException e) {
            throw new UnusableInputException(ConnectionErrors.firstLine(e), e);
        }
    }

    /**
     * Returns strategies by name, in the order of the names; for no names all but the variants of others.
     *
     * @throws UnusableInputException if a name is unknown
     */
    List<LockStrategy> named(List<String> names) {
        return names.isEmpty()
                ? strategies.stream().filter(this::isBase).toList()
                : names.stream().map(this::named).toList();
    }

    /** A variant is in the package of another strategy, whose name begins its own. */
    private boolean isBase(LockStrategy strategy) {
        return strategies.stream()
                .filter(other ->
                        other.getClass().getPackage() == strategy.getClass().getPackage())
                .noneMatch(other -> strategy.name().startsWith(other.name() + "-"));
    }

    private LockStrategy named(String name) {
        return strategies.stream()
                .filter(strategy -> strategy.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UnusableInputException(
                        "no strategy is named '" + name + "'; there are: " + names() + " (see --help)"));
    }

    private String names() {
        return strategies.stream().map(LockStrategy::name).collect(joining(", "));
    }
}
