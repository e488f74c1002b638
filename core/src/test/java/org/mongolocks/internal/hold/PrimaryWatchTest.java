package org.mongolocks.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.internal.hold.HoldingLab.BACKOFF;
import static org.mongolocks.internal.hold.HoldingLab.PERIOD;

import com.mongodb.ServerAddress;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ClusterType;
import com.mongodb.connection.ServerConnectionState;
import com.mongodb.connection.ServerDescription;
import com.mongodb.connection.ServerType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.LossReason;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.Step;

class PrimaryWatchTest {
    private static final ServerAddress ONE = new ServerAddress("one");
    private static final ServerAddress TWO = new ServerAddress("two");

    private final HoldingLab lab = new HoldingLab();
    private final ObjectId election = new ObjectId();
    private ClusterDescription deployment = primary(ONE, election);

    @BeforeEach
    void watch() {
        lab.deployment = Optional.of(() -> deployment);
        lab.strategy.renews(Step.done(new Renewal.Lost(LossReason.TAKEN_OVER)));
    }

    @Test
    void aHolderLearnsOfALossSoonAfterAnElection() {
        lab.hold("a", true);

        deployment = primary(TWO, new ObjectId());
        lab.timer.advance(PrimaryWatch.CHECK_INTERVAL.plus(BACKOFF));

        assertThat(lab.told).containsExactly(LossReason.TAKEN_OVER);
    }

    @Test
    void theSamePrimaryByAnotherElectionIsAnother() {
        lab.hold("a", true);

        deployment = primary(ONE, new ObjectId());
        lab.timer.advance(PrimaryWatch.CHECK_INTERVAL.plus(BACKOFF));

        assertThat(lab.told).hasSize(1);
    }

    @Test
    void aPrimaryThatComesBackIsTheSame() {
        lab.hold("a", true);

        deployment = none();
        lab.timer.advance(PrimaryWatch.CHECK_INTERVAL);
        deployment = primary(ONE, election);
        lab.timer.advance(PERIOD.minus(Duration.ofSeconds(1)));

        assertThat(lab.strategy.calls).isEmpty();
    }

    @Test
    void anElectionWhileThereIsNoPrimaryIsNoticedAfterIt() {
        lab.hold("a", true);

        deployment = none();
        lab.timer.advance(PrimaryWatch.CHECK_INTERVAL);
        deployment = primary(TWO, new ObjectId());
        lab.timer.advance(PrimaryWatch.CHECK_INTERVAL.plus(BACKOFF));

        assertThat(lab.told).hasSize(1);
    }

    @Test
    void aRouterShowsNoPrimary() {
        deployment = router(ONE);
        lab.hold("a", true);

        deployment = router(TWO);
        lab.timer.advance(PERIOD.minus(Duration.ofSeconds(1)));

        assertThat(lab.strategy.calls).isEmpty();
    }

    @Test
    void primaryIsNotReadWhileNothingIsKeptAlive() {
        lab.hold("a", false);
        assertThat(lab.timer.size()).isEqualTo(1);

        Hold kept = lab.hold("b", true);
        lab.holds().stopKeepAlive(kept);
        lab.timer.advance(PrimaryWatch.CHECK_INTERVAL);
        int waiting = lab.timer.size();
        lab.timer.advance(PrimaryWatch.CHECK_INTERVAL.multipliedBy(5));

        assertThat(lab.timer.size()).isEqualTo(waiting);
    }

    private static ClusterDescription primary(ServerAddress address, ObjectId election) {
        return of(
                ClusterType.REPLICA_SET,
                server(address, ServerType.REPLICA_SET_PRIMARY)
                        .electionId(election)
                        .build());
    }

    private static ClusterDescription none() {
        return of(
                ClusterType.REPLICA_SET,
                server(ONE, ServerType.REPLICA_SET_SECONDARY).build());
    }

    private static ClusterDescription router(ServerAddress address) {
        return of(ClusterType.SHARDED, server(address, ServerType.SHARD_ROUTER).build());
    }

    private static ServerDescription.Builder server(ServerAddress address, ServerType type) {
        return ServerDescription.builder().address(address).type(type).ok(true).state(ServerConnectionState.CONNECTED);
    }

    private static ClusterDescription of(ClusterType type, ServerDescription server) {
        return new ClusterDescription(ClusterConnectionMode.MULTIPLE, type, List.of(server));
    }
}
