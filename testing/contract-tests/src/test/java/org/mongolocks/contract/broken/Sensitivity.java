package org.mongolocks.contract.broken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.server.BackgroundTask.Eventually;

/**
 * Runs rules of the contract on a broken strategy or client; they wait at most half a second for events that never
 * come.
 */
public final class Sensitivity implements BeforeEachCallback, AfterEachCallback {
    private static final Pattern RUN = Pattern.compile("\\[class-template-invocation:#\\d+]");

    /** Not {@link java.util.NoSuchElementException}: rules throw it where they find no lock. */
    private static final Set<Class<? extends Throwable>> DEFECTS = Set.of(
            UnsupportedOperationException.class,
            NullPointerException.class,
            ClassCastException.class,
            IndexOutOfBoundsException.class,
            LinkageError.class);

    /** A rule that a busy machine makes too slow for its lease proves nothing: it is repeated with one that is this much longer. */
    private static final int LONGER = 4;

    private static final Duration LONGEST = MutatedContract.SHORT.multipliedBy(LONGER * LONGER);

    private final Duration timeout = Eventually.timeout;

    @Override
    public void beforeEach(ExtensionContext context) {
        Eventually.timeout = Duration.ofMillis(500);
        MutatedContract.ttl = MutatedContract.SHORT;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Eventually.timeout = timeout;
    }

    /** Asserts that the rule fails with at least one of its arguments, on each driver. */
    static void assertBreaks(Mistake mistake, String rule) {
        Events failed = failed(mistake, rule);
        while (runsOf(failed) < Driver.values().length && MutatedContract.ttl.compareTo(LONGEST) < 0) {
            MutatedContract.ttl = MutatedContract.ttl.multipliedBy(LONGER);
            failed = failed(mistake, rule);
        }

        assertThat(failed.stream().map(Sensitivity::runOf).distinct()).hasSameSizeAs(Driver.values());
        assertThat(Mutations.MISFITS).isEmpty();
        assertNoDoubleIsDefective(failed);
    }

    private static Events failed(Mistake mistake, String rule) {
        Mutations.MISFITS.clear();
        return run(mistake, rule).failed();
    }

    private static long runsOf(Events failed) {
        return failed.stream().map(Sensitivity::runOf).distinct().count();
    }

    /** Asserts that the tests failed by their rule: a double that cannot do what the rule needs proves nothing. */
    static void assertNoDoubleIsDefective(Events failed) {
        assertThat(failed.stream().flatMap(Sensitivity::causes))
                .isNotEmpty()
                .noneMatch(cause -> DEFECTS.stream().anyMatch(type -> type.isInstance(cause)));
    }

    private static Stream<Throwable> causes(Event failed) {
        Throwable thrown = failed.getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .orElseThrow();
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause);
    }

    static Events run(Mistake mistake, String rule) {
        MutatedContract.mistake = mistake;
        return run(MutatedContract.class, rule);
    }

    /** Runs a rule of a contract; it has one method of that name. */
    static Events run(Class<?> contract, String rule) {
        Method method = Arrays.stream(contract.getMethods())
                .filter(candidate -> candidate.getName().equals(rule))
                .findFirst()
                .orElseThrow();
        String types =
                Arrays.stream(method.getParameterTypes()).map(Class::getName).collect(Collectors.joining(","));
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(contract, rule, types))
                .execute()
                .testEvents();
    }

    private static String runOf(Event test) {
        Matcher run = RUN.matcher(test.getTestDescriptor().getUniqueId().toString());
        assertThat(run.find()).isTrue();
        return run.group();
    }
}
