package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.internal.wait.Lab.OWNER;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mongolocks.HolderInfo;
import org.mongolocks.LockRequest;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.acquire.GrantAcquisitions;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import org.mongolocks.spi.AcquireContext;

class HolderOfAnAcquisitionTest {
    private final Lab lab = new Lab();
    private final FakeStrategy strategy = new FakeStrategy();

    @Test
    void everyAttemptSendsTheHolderInfoAndTheNoteOfTheRequest() {
        strategy.contends(Lab.heldBy("other", 1, Optional.empty())).grants(1);
        LockRequest request = Lab.request(Duration.ofSeconds(5)).note("nightly run");
        ClientSettings settings = lab.settings(strategy);
        HolderInfo asking = HolderInfo.ofThisThread().withNote(Optional.of("nightly run"));

        lab.run(GrantAcquisitions.of(settings, request, OWNER, Lab.queues(settings, ChangeFeed.none()))
                .start());

        assertThat(strategy.acquires)
                .hasSize(2)
                .extracting(AcquireContext::holderInfo)
                .containsOnly(asking);
    }
}
