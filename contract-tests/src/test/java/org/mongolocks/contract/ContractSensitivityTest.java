package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Shows that the contract can fail: each mistake breaks the rules that are there to catch it, on both drivers. */
class ContractSensitivityTest {
    private final Duration patience = Soon.patience;

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "RELEASES_BY_NAME_ONLY, aLateReleaseChangesNothing",
        "LEAVES_THE_OWNER, aReleasedLockShowsNoHolder",
        "RENEWS_BY_NAME_ONLY, aLateRenewalChangesNothing",
        "DOES_NOT_EXTEND, aRenewedLeaseLastsLonger",
        "FORCES_WHATEVER_IS_THERE, aForcedReleaseDoesNothingAfterAChange",
        "FORCES_WHATEVER_IS_THERE, aForcedReleaseDoesNotHitTheNextHolder",
        "FORCES_WITHOUT_COUNTING, tokenGrowsOverAForcedRelease",
        "FORCES_WITHOUT_A_TRACE, aForcedReleaseFreesTheLockAndTheHolderLearnsOfIt",
        "TAKES_WHAT_IS_HELD, whileALeaseIsLiveTheLockIsContendedForEverybody",
        "TAKES_WHAT_IS_HELD, oneOfManyWhoCreateALockAtOnceGetsIt",
        "TAKES_WHAT_IS_HELD, aLeaseIsLiveUntilItsEnd",
        "TAKES_WHAT_IS_HELD, waitingEndsAtTheDeadline",
        "NEVER_TAKES_OVER, anExpiredLeaseFreesTheLock",
        "NEVER_TAKES_OVER, aWaiterGetsAnExpiredLock",
        "DOES_NOT_COUNT, tokenGrowsOverARelease",
        "DOES_NOT_COUNT, tokenGrowsOverATakeover",
        "RENEWS_ALL_BY_NAME_ONLY, oneLostLockTakesNoOtherWithIt",
        "TAKES_WHAT_IS_HELD, 'protectedDataIsChangedByOneAtATime#int,int,int'",
        "DOES_NOT_COUNT, 'protectedDataIsChangedByOneAtATime#int,int,int'",
    })
    void aMistakeOfAStrategyIsCaught(Mutation mutation, String rule) {
        MutatedContract.mutation = mutation;

        assertFails(rule);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "KEEPS_NOTHING_ALIVE, aLockThatIsKeptAliveOutlivesItsLease",
        "HAS_NO_TIMER, theEndOfALeaseIsToldBeforeAnotherCanHaveTheLock",
        "HIDES_LOSSES, keepAliveTellsALoss",
        "REPORTS_TWICE, aLossIsToldOnce",
        "REPORTS_TWICE, theEndOfALeaseIsToldBeforeAnotherCanHaveTheLock",
        "REPORTS_TWICE, aLockThatCannotBeRenewedIsLostAtItsEnd",
        "GIVES_NO_REASON, keepAliveTellsALoss",
        "GIVES_NO_REASON, aLockThatCannotBeRenewedIsLostAtItsEnd",
        "DOES_NOT_WARN, theApproachOfTheEndIsToldEachTime",
        "WARNS_ONCE, theApproachOfTheEndIsToldEachTime",
        "TELLS_ON_THE_TIMER, aListenerThatBlocksHarmsNoOtherLock",
        "TRUSTS_ITS_CLOCK, theHolderDoesNotOverestimateItsLease",
        "LEAVES_EVERYTHING, closingGivesEverythingBack",
        "LEAVES_EVERYTHING, aClosedClientAcquiresNothing",
        "LEAVES_EVERYTHING, noThreadOutlivesTheClient",
        "CLOSES_LATE, closingIsBoundedWhenTheServerDoesNotAnswer",
    })
    void aMistakeOfAClientIsCaught(BrokenClient client, String rule) {
        MutatedContract.client = client;

        assertFails(rule);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"aLockIsKeptAliveThroughFaults#boolean"})
    void keepAliveThatDiesAtTheFirstFaultIsCaught(String rule) {
        MutatedContract.diesAtTheFirstFault = true;

        assertFails(rule);
    }

    @BeforeEach
    void loseNoTime() {
        Soon.patience = Duration.ofSeconds(1);
    }

    @AfterEach
    void mend() {
        Soon.patience = patience;
        MutatedContract.mutation = Mutation.NONE;
        MutatedContract.client = BrokenClient.SOUND;
        MutatedContract.diesAtTheFirstFault = false;
    }

    private static void assertFails(String rule) {
        String method = rule.contains("#") ? rule.replace("#", "(") + ")" : rule + "()";

        Events tests = EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(MutatedContract.class.getName() + "#" + method))
                .execute()
                .testEvents();

        assertThat(tests.started().count()).isGreaterThanOrEqualTo(Driver.values().length);
        assertThat(tests.succeeded().list()).isEmpty();
        assertThat(tests.aborted().list()).isEmpty();
    }
}
