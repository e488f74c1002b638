package org.mongolocks.study.matrix;

import java.util.function.UnaryOperator;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.study.exhaustive.Twin;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.technique.ClientMistake;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/**
 * A mistake: of a strategy, of the clients or of their environment.
 *
 * @param wrong the technique that has it
 * @param right the technique that does not
 * @param row changes the row, for a mistake of all clients or their environment
 */
record Mistake(Technique wrong, Technique right, UnaryOperator<Scenario> row) {
    private static final String USUAL = "findandmodify-counter";

    /** Returns a mistake of a twin of a strategy, which the search must find, too. */
    static Mistake twin(String name) {
        return Twin.all().stream()
                .filter(twin -> twin.strategy().equals(USUAL) && twin.name().equals(name))
                .findFirst()
                .map(Mistake::client)
                .orElseThrow();
    }

    /** Returns a mistake of a published technique. */
    static Mistake published(String technique) {
        return instead(technique, USUAL);
    }

    /** Returns the mistake to use one technique instead of another. */
    static Mistake instead(String wrong, String right) {
        return new Mistake(named(wrong), named(right), UnaryOperator.identity());
    }

    /** Returns a mistake of the clients. */
    static Mistake client(ClientMistake mistake) {
        return client(USUAL, mistake);
    }

    static Mistake client(String technique, ClientMistake mistake) {
        Technique right = named(technique);
        return new Mistake(
                new Technique(right.name(), right.strategies(), right.config(), mistake),
                right,
                UnaryOperator.identity());
    }

    /** Returns a mistake of the strategy of the clients. */
    static Mistake strategy(UnaryOperator<LockStrategy> wrong) {
        return strategy(USUAL, wrong);
    }

    static Mistake strategy(String technique, UnaryOperator<LockStrategy> wrong) {
        Technique right = named(technique);
        return new Mistake(
                new Technique(
                        right.name(), clock -> wrong.apply(right.strategies().apply(clock)), right.config()),
                right,
                UnaryOperator.identity());
    }

    /** Returns a mistake of all clients, or of their environment. */
    static Mistake row(UnaryOperator<Scenario> wrong) {
        Technique right = named(USUAL);
        return new Mistake(right, right, wrong);
    }

    private static Technique named(String name) {
        return Techniques.all().stream()
                .filter(technique -> technique.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
