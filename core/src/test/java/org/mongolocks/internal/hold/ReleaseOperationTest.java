package org.mongolocks.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.internal.FakeStrategy.fails;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockSnapshot;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

class ReleaseOperationTest {
    private static final long TOKEN = 7;

    private final Lab lab = new Lab();
    private final FakeStrategy strategy = new FakeStrategy();

    @Test
    void aTombstoneWithItsTokenShowsThatALostReplyWasARelease() {
        strategy.releases(fails(Fault.AMBIGUOUS)).shows(tombstone(TOKEN));

        assertThat(lab.result(releasing(Step.done(false)))).isTrue();
    }

    @Test
    void aLargerTokenShowsThatTheLockHadBeenLost() {
        strategy.releases(fails(Fault.AMBIGUOUS)).shows(tombstone(TOKEN + 1));

        assertThat(lab.result(releasing(Step.done(false)))).isFalse();
    }

    @Test
    void anotherHolderShowsThatTheLockHadBeenLost() {
        strategy.releases(fails(Fault.AMBIGUOUS)).shows(Lab.heldBy("other", 1, Optional.empty()));

        assertThat(lab.result(releasing(Step.done(false)))).isFalse();
    }

    @Test
    void aDocumentThatIsGoneWasReleasedWhileTheLeaseLasted() {
        strategy.releases(fails(Fault.AMBIGUOUS));

        assertThat(lab.result(releasing(Step.done(false)))).isTrue();
    }

    @Test
    void aDocumentThatIsGoneAfterTheLeaseWasLost() {
        strategy.releases(fails(Fault.AMBIGUOUS)).releases(Step.done(false));

        assertThat(lab.result(endedLease())).isFalse();
    }

    @Test
    void retriesEndAboutOneCommandTimeoutAfterTheStart() {
        strategy.answersReleases(() -> {
            lab.time.advance(Duration.ofSeconds(2));
            return fails(Fault.AMBIGUOUS);
        });

        assertThat(lab.run(releasing(Step.done(true)))).isInstanceOf(Step.Fail.class);
        assertThat(strategy.calls).hasSize(1);
    }

    private Step<Boolean> endedLease() {
        OptionalLong token = OptionalLong.of(TOKEN);
        return new ReleaseOperation(
                        lab.settings(strategy), Lab.NAME, Lab.OWNER, token, lab.time.nanoTime(), lab.time.nanoTime())
                .start();
    }

    private static LockSnapshot tombstone(long token) {
        return LockSnapshot.of(Lab.NAME, Optional.empty(), token, 1).lease(Lab.TTL, Optional.empty(), Optional.empty());
    }

    private Step<Boolean> releasing(Step<Boolean> last) {
        strategy.releases(last);
        long end = lab.time.nanoTime() + Lab.TTL.toNanos();
        return new ReleaseOperation(
                        lab.settings(strategy), Lab.NAME, Lab.OWNER, OptionalLong.of(TOKEN), end, lab.time.nanoTime())
                .start();
    }
}
