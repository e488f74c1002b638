package org.mongolocks.study.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.technique.RealTechniques;

/** Tests with client processes on the embedded server. The runs start at once, and end when they have shown enough. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no signals")
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SoakTest {
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");
    /** The time limit of a run. */
    private static final Duration AT_MOST = Duration.ofMinutes(4);

    private static final Duration PART = Duration.ofSeconds(2);
    private static final int CLIENTS = 2;
    private static final long SEED = 42;
    private static final long MANY_GRANTS = 20;
    private static final Set<Finding> HELD = EnumSet.of(Finding.HELD_TWICE, Finding.BELIEVED_TWICE);

    private static final ExecutorService RUNS = Executors.newCachedThreadPool();
    private static final Future<RunResult> SOUND = submit("insert-unique", SoakTest::hasShownEnough);
    private static final Future<RunResult> BROKEN = submit(GrantsHeldLocks.class.getName(), SoakTest::isHeldTwice);
    private static final Future<RunResult> LEAKING = submit(LeavesThreads.class.getName(), judge -> true);

    @BeforeAll
    static void begin() {
        LOCKS.setLevel(Level.OFF);
    }

    @AfterAll
    static void end() {
        RUNS.shutdownNow();
    }

    /** Each run has its own server: one that is stepping down for another run would refuse to step down. */
    private static Future<RunResult> submit(String technique, Predicate<Judge> enough) {
        RunPlan plan =
                new RunPlan(Optional.empty(), List.of(RealTechniques.named(technique)), CLIENTS, AT_MOST, PART, SEED);
        return RUNS.submit(() -> {
            try (TestDatabase own = TestDatabase.at("embedded")) {
                return ProcessRun.soakUntil(plan, own, System.out::println, enough);
            }
        });
    }

    private static boolean hasShownEnough(Judge judge) {
        RunResult result = judge.result();
        return !result.faults().isEmpty()
                && result.grants().values().stream().mapToLong(Long::longValue).sum() >= MANY_GRANTS;
    }

    /** Another violation may be found first, of a lock that is cut earlier. */
    private static boolean isHeldTwice(Judge judge) {
        return judge.result().firstViolations().stream()
                .map(RunResult.Found::finding)
                .anyMatch(HELD::contains);
    }

    @Test
    void correctStrategyHasNoViolationsAndNoLeaks() throws Exception {
        RunResult result = SOUND.get();

        assertThat(result.firstViolations()).isEmpty();
        assertThat(result.leaks()).isEmpty();
        assertThat(result.failures()).isEmpty();
        assertThat(result.isSound()).isTrue();
    }

    @Test
    void strategyThatGrantsHeldLocksIsFound() throws Exception {
        RunResult result = BROKEN.get();

        assertThat(result.failures()).isEmpty();
        assertThat(result.isSound()).isFalse();
        assertThat(result.firstViolations())
                .extracting(RunResult.Found::finding)
                .containsAnyElementsOf(HELD);
    }

    @Test
    void threadsOfClosedClientsAreFound() throws Exception {
        RunResult result = LEAKING.get();

        assertThat(result.isSound()).isFalse();
        assertThat(result.leaks()).anyMatch(leak -> leak.endsWith("threads of closed clients are left"));
    }
}
