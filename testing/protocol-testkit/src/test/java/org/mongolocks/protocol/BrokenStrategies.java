package org.mongolocks.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.mongolocks.spi.LockStrategy;

/** A runner of one law on a strategy that breaks it. */
final class BrokenStrategies {
    private BrokenStrategies() {}

    static void assertBroken(Function<ProtocolLaws, Stream<DynamicTest>> law, LockStrategy strategy, String shown) {
        Optional<Throwable> found = law.apply(lawsOf(strategy))
                .map(test -> catchThrowable(() -> test.getExecutable().execute()))
                .filter(Objects::nonNull)
                .findFirst();

        assertThat(found).get().isInstanceOf(AssertionError.class).asString().contains(shown);
    }

    private static ProtocolLaws lawsOf(LockStrategy strategy) {
        return new ProtocolLaws() {
            @Override
            protected LockStrategy strategy() {
                return strategy;
            }
        };
    }
}
