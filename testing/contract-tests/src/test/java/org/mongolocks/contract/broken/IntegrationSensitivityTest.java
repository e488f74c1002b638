package org.mongolocks.contract.broken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;
import org.mongolocks.contract.integration.AsLockIntegration;
import org.mongolocks.contract.integration.IntegrationContract;
import org.mongolocks.contract.integration.LockIntegration;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.sync.LockClient;

/** Tests that the contract of integrations can fail: each mistake breaks the rule that should catch it. */
@ExtendWith(Sensitivity.class)
@Tag("slow")
class IntegrationSensitivityTest {
    private static final Duration AMPLE = Duration.ofSeconds(30);

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "IGNORES_CONTENTION, protectedDataIsChangedByOneAtATime",
        "IGNORES_CONTENTION, contendedWorkIsRefused",
        "HIDES_CONTENTION, contendedWorkIsRefused",
        "NEVER_RELEASES, lockIsFreeAfterTheWork",
        "KEEPS_THE_LOCK_OF_FAILED_WORK, lockIsFreeAfterWorkThatFails",
        "WRAPS_FAILURES, failureOfTheWorkReachesItsCaller",
        "LOSES_THE_TOKEN, tokenGrowsFromGrantToGrant",
        "DOES_NOT_INTERRUPT, lossStopsTheWork",
        "ASSUMES_THAT_THE_LOCK_IS_HELD, workThatAsksSeesTheLoss",
        "HIDES_LOSSES, callerIsToldOfALoss",
        "RELEASES_BY_NAME_ONLY, lateWorkDoesNotReleaseTheNextHoldersLock",
        "REMEMBERS_CONTENTION, forcedReleaseFreesTheLock",
        "IGNORES_THE_TTL, lockOfACrashedApplicationEndsWithItsTtl",
        "DOES_NOT_CLOSE_ITS_CLIENT, shutdownReleasesTheLock",
        "DOES_NOT_CLOSE_ITS_CLIENT, closedApplicationRunsNoWork",
        "HIDES_THAT_IT_IS_CLOSED, closedApplicationRunsNoWork",
        "KEEPS_NOTHING_ALIVE, longWorkKeepsItsLock",
        "HAS_ONE_LOCK, namesAreIndependent",
        "IS_NOT_REENTRANT, innerWorkEntersTheLockAgain",
        "RELEASES_AFTER_INNER_WORK, innerWorkEntersTheLockAgain",
    })
    void aMistakeIsCaught(IntegrationMistake mistake, String rule) {
        Events withMistake = run(Optional.of(mistake), rule);
        Eventually.timeout = AMPLE;
        Events without = run(Optional.empty(), rule);

        assertThat(withMistake.started().count()).isPositive();
        assertThat(withMistake.failed().count()).isEqualTo(withMistake.started().count());
        Sensitivity.assertNoDoubleIsDefective(withMistake.failed());
        assertThat(without.succeeded().count()).isEqualTo(withMistake.started().count());
    }

    private static Events run(Optional<IntegrationMistake> mistake, String rule) {
        Broken.mistake = mistake;
        String method = Arrays.stream(IntegrationContract.class.getMethods())
                .filter(candidate -> candidate.getName().equals(rule))
                .map(candidate -> Arrays.stream(candidate.getParameterTypes())
                        .map(Class::getName)
                        .collect(Collectors.joining(",", rule + "(", ")")))
                .findFirst()
                .orElseThrow();
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(Broken.class.getName() + "#" + method))
                .execute()
                .testEvents();
    }

    @Test
    void everyRuleIsBrokenByAMistake() throws NoSuchMethodException {
        CsvSource table = IntegrationSensitivityTest.class
                .getDeclaredMethod("aMistakeIsCaught", IntegrationMistake.class, String.class)
                .getAnnotation(CsvSource.class);
        Set<String> broken = Arrays.stream(Objects.requireNonNull(table).value())
                .map(row -> row.split(", ", 2)[1])
                .collect(Collectors.toSet());
        Set<String> rules = Arrays.stream(IntegrationContract.class.getMethods())
                .filter(method -> method.isAnnotationPresent(ContractRule.class))
                .map(Method::getName)
                .collect(Collectors.toSet());

        assertThat(broken).isEqualTo(rules);
    }

    /** The contract, on an integration with a mistake; run by this test only. */
    static class Broken extends IntegrationContract {
        private static volatile Optional<IntegrationMistake> mistake = Optional.empty();

        @Override
        protected LockIntegration integration() {
            return new AsLockIntegration() {
                @Override
                protected Locks application(LockClient locks) {
                    return mistake.map(made -> made.application(locks)).orElseGet(() -> new Locks(locks));
                }
            };
        }
    }
}
