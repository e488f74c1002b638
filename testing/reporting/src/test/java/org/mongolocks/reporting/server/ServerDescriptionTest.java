package org.mongolocks.reporting.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.reporting.server.ServerDescription.Kind;
import org.mongolocks.reporting.server.ServerDescription.Topology;

class ServerDescriptionTest {
    @Test
    void embeddedServerIsRecognized() {
        assertThat(new ServerDescription(
                                Kind.EMBEDDED, "4.4.0", Topology.REPLICA_SET, List.of("localhost:1234"), Duration.ZERO)
                        .words())
                .isEqualTo("the embedded server (MongoDB 4.4.0, single-node replica set)");
    }

    @Test
    void embeddedServerWithMajorityLagIsDescribed() {
        assertThat(new ServerDescription(
                                Kind.EMBEDDED,
                                "4.4.0",
                                Topology.REPLICA_SET,
                                List.of("localhost:1234"),
                                Duration.ofMillis(3))
                        .words())
                .startsWith(
                        "the embedded server (MongoDB 4.4.0, single-node replica set whose majority lags 3 ms behind)");
    }

    @Test
    void aReplicaSetIsNamedWithItsMembers() {
        assertThat(new ServerDescription(
                                Kind.URI, "7.0.2", Topology.REPLICA_SET, List.of("a:1", "b:2", "c:3"), Duration.ZERO)
                        .words())
                .isEqualTo("MongoDB 7.0.2, replica set of 3, at a:1,b:2,c:3");
    }

    @Test
    void aStandaloneIsNamed() {
        assertThat(new ServerDescription(Kind.URI, "7.0.2", Topology.STANDALONE, List.of("a:1"), Duration.ZERO).words())
                .isEqualTo("MongoDB 7.0.2, standalone, at a:1");
    }

    @Test
    void everyTopologyHasANameForPrograms() {
        assertThat(Topology.values())
                .extracting(Topology::id)
                .containsExactly(
                        "standalone", "replica-set", "sharded-cluster", "load-balanced-cluster", "unknown-topology");
    }
}
