package org.mongolocks.strategy.optimisticversion;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.NAME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.ProtocolFixture.lease;
import static org.mongolocks.protocol.Replies.counted;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.none;

import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.LockStrategy.Renewal;

class ClockFreeVersionHoldTest {
    private static final String NAME_OF_STRATEGY = "optimistic-version-clock-free";
    private static final String READ = "{find: 'locks', filter: {_id: '$job'}}";

    private final ClockFreeVersionStrategy strategy = new ClockFreeVersionStrategy();
    private final LockDocumentFixtures stored = new LockDocumentFixtures("optimistic-version-clock-free/3", "version");

    @Test
    void renewalFiltersByOwnerAndTokenAndIncrementsTheVersion() {
        ProtocolScript.of(strategy.renew(lease(TOKEN)))
                .sends(NAME_OF_STRATEGY + "/renew", """
                        {update: 'locks',
                         query: {_id: '$job', format: 'optimistic-version-clock-free/3', owner: 'me/00000000-0000-0000-0000-000000000001', fence: NumberLong(7)},
                         update: {$set: {leaseId: NumberLong(1000000000)}, $max: {leaseMs: NumberLong(10000)}, $inc: {version: NumberLong(1)}, $currentDate: {renewedAt: true}}}""")
                .receives(counted(1))
                .endsWith(new Renewal.Renewed());
    }

    @Test
    void lostRenewalReadsTheReason() {
        ProtocolScript<Renewal> lost = ProtocolScript.of(strategy.renew(lease(TOKEN)))
                .receives(counted(0))
                .sends(NAME_OF_STRATEGY + "/loss-reason", READ);

        lost.receives(found(stored.heldBy(OTHER))).endsWith(new Renewal.Lost(LossReason.TAKEN_OVER));
        lost.receives(found(stored.forceReleased())).endsWith(new Renewal.Lost(LossReason.FORCED));
        lost.receives(none()).endsWith(new Renewal.Lost(LossReason.TAKEN_OVER));
    }

    @Test
    void releaseFiltersByOwnerAndTokenAndLeavesATombstone() {
        ProtocolScript<Boolean> release = ProtocolScript.of(strategy.release(NAME, ME, OptionalLong.of(TOKEN)))
                .sends(NAME_OF_STRATEGY + "/release", """
                        {update: 'locks',
                         query: {_id: '$job', format: 'optimistic-version-clock-free/3', owner: 'me/00000000-0000-0000-0000-000000000001', fence: NumberLong(7)},
                         update: {
                          $inc: {version: NumberLong(1)},
                          $currentDate: {releasedAt: true},
                          $unset: {owner: true, holder: true, leaseId: true},
                          $rename: {next: 'turn'}}}""");

        release.receives(counted(1)).endsWith(true);
        release.receives(counted(0)).endsWith(false);
    }

    @Test
    void releaseBeforeTheMinimumStartsALeaseOfNoOwner() {
        ProtocolScript.of(strategy.releaseAfter(lease(TOKEN)))
                .sends(NAME_OF_STRATEGY + "/release-after", """
                        {update: 'locks',
                         query: {_id: '$job', format: 'optimistic-version-clock-free/3', owner: 'me/00000000-0000-0000-0000-000000000001', fence: NumberLong(7)},
                         update: {
                          $set: {owner: 'me/00000000-0000-0000-0000-000000000001/released', leaseMs: NumberLong(10000), leaseId: NumberLong(1000000000)},
                          $inc: {version: NumberLong(1)},
                          $currentDate: {renewedAt: true},
                          $unset: {holder: true},
                          $rename: {next: 'turn'}}}""")
                .receives(counted(1))
                .endsWith(true);
    }

    @Test
    void releaseWithoutTokenFiltersByOwner() {
        ProtocolScript.of(strategy.release(NAME, ME, OptionalLong.empty()))
                .sends(NAME_OF_STRATEGY + "/release", """
                        {update: 'locks',
                         query: {_id: '$job', format: 'optimistic-version-clock-free/3', owner: 'me/00000000-0000-0000-0000-000000000001'},
                         update: {
                          $inc: {version: NumberLong(1)},
                          $currentDate: {releasedAt: true},
                          $unset: {owner: true, holder: true, leaseId: true},
                          $rename: {next: 'turn'}}}""")
                .receives(counted(1))
                .endsWith(true);
    }

    @Test
    void inspectShowsHolderWithoutRemainingTime() {
        ProtocolScript<Optional<LockSnapshot>> inspect =
                ProtocolScript.of(strategy.inspect(NAME)).sends(NAME_OF_STRATEGY + "/inspect", READ);

        inspect.receives(found(stored.heldBy(OTHER))).endsWith(Optional.of(stored.read(stored.heldBy(OTHER))));
        inspect.receives(none()).endsWith(Optional.empty());
    }

    @Test
    void forceReleaseFiltersByTheSnapshotAndIncrementsTheToken() {
        ProtocolScript<Boolean> force = ProtocolScript.of(strategy.forceRelease(stored.read(stored.heldBy(OTHER))))
                .sends(NAME_OF_STRATEGY + "/force-release", """
                        {update: 'locks',
                         query: {_id: '$job', format: 'optimistic-version-clock-free/3', version: NumberLong(5), fence: NumberLong(7), owner: 'other/00000000-0000-0000-0000-000000000002'},
                         update: {
                          $inc: {fence: NumberLong(1), version: NumberLong(1)},
                          $currentDate: {releasedAt: true, forcedAt: true, renewedAt: true},
                          $unset: {owner: true, holder: true, leaseId: true},
                          $rename: {next: 'turn'}}}""");

        force.receives(counted(1)).endsWith(true);
        force.receives(counted(0)).endsWith(false);
    }
}
