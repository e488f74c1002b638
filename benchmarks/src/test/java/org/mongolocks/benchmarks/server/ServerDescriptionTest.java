package org.mongolocks.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.server.ServerDescription.Kind;
import org.mongolocks.benchmarks.server.ServerDescription.Topology;

class ServerDescriptionTest {
    @Test
    void embeddedServerIsRecognized() {
        assertThat(new ServerDescription(
                                Kind.EMBEDDED, "4.4.0", Topology.REPLICA_SET, List.of("localhost:1234"), Duration.ZERO)
                        .line())
                .isEqualTo("Server: embedded (MongoDB 4.4.0 semantics, single-node replica set)"
                        + " - figures compare strategies, they are not those of a real server");
    }

    @Test
    void embeddedServerWithMajorityLagIsDescribed() {
        assertThat(new ServerDescription(
                                Kind.EMBEDDED,
                                "4.4.0",
                                Topology.REPLICA_SET,
                                List.of("localhost:1234"),
                                Duration.ofMillis(3))
                        .line())
                .startsWith(
                        "Server: embedded (MongoDB 4.4.0 semantics, single-node replica set whose majority lags 3 ms behind)");
    }

    @Test
    void aReplicaSetIsNamedWithItsMembers() {
        assertThat(new ServerDescription(
                                Kind.URI, "7.0.2", Topology.REPLICA_SET, List.of("a:1", "b:2", "c:3"), Duration.ZERO)
                        .line())
                .isEqualTo("Server: MongoDB 7.0.2, replica set of 3, at a:1,b:2,c:3");
    }

    @Test
    void aStandaloneIsNamed() {
        assertThat(new ServerDescription(Kind.URI, "7.0.2", Topology.STANDALONE, List.of("a:1"), Duration.ZERO).line())
                .isEqualTo("Server: MongoDB 7.0.2, standalone, at a:1");
    }

    @Test
    void everyTopologyHasANameForPrograms() {
        assertThat(Topology.values())
                .extracting(Topology::id)
                .containsExactly(
                        "standalone", "replica-set", "sharded-cluster", "load-balanced-cluster", "unknown-topology");
    }
}
