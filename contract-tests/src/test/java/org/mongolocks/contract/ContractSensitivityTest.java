package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Shows that the contract can fail: each mistake breaks the rules that are there to catch it, on both drivers. */
class ContractSensitivityTest {
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
        "TAKES_WHAT_IS_HELD, 'protectedDataIsChangedByOneAtATime#int,int,int'",
        "DOES_NOT_COUNT, 'protectedDataIsChangedByOneAtATime#int,int,int'",
    })
    void aMistakeIsCaught(Mutation mutation, String rule) {
        MutatedContract.mutation = mutation;
        String method = rule.contains("#") ? rule.replace("#", "(") + ")" : rule + "()";

        Events tests = EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(MutatedContract.class.getName() + "#" + method))
                .execute()
                .testEvents();

        assertThat(tests.started().count()).isGreaterThanOrEqualTo(Driver.values().length);
        assertThat(tests.succeeded().list()).isEmpty();
    }
}
