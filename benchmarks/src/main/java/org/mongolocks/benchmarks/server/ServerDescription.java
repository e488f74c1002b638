package org.mongolocks.benchmarks.server;

import java.time.Duration;
import java.util.List;

/**
 * Says which server a run was measured on. It holds nothing secret.
 *
 * @param kind whether it is the embedded one
 * @param version the version of MongoDB that it says it is
 * @param topology how its servers belong together
 * @param hosts its members, with their ports
 * @param majorityLag how long the embedded server has everybody wait who waits for a majority
 */
public record ServerDescription(
        Kind kind, String version, Topology topology, List<String> hosts, Duration majorityLag) {
    /** Is where a server comes from. */
    public enum Kind {
        /** The server in this JVM. */
        EMBEDDED("embedded"),
        /** The server that a connection string names. */
        URI("uri");

        private final String id;

        Kind(String id) {
            this.id = id;
        }

        /** Gives the name for programs. */
        public String id() {
            return id;
        }
    }

    public ServerDescription {
        hosts = List.copyOf(hosts);
    }

    /** Describes the server for people, in one line. */
    public String line() {
        return kind == Kind.EMBEDDED
                ? "Server: embedded (MongoDB " + version + " semantics, " + size() + lag()
                        + ") - figures compare strategies, they are not those of a real server"
                : "Server: MongoDB " + version + ", " + size() + ", at " + String.join(",", hosts);
    }

    private String lag() {
        return majorityLag.isZero() ? "" : " whose majority lags " + majorityLag.toMillis() + " ms behind";
    }

    private String size() {
        return switch (hosts.size()) {
            case 0 -> topology.phrase();
            case 1 -> topology == Topology.REPLICA_SET ? "single-node " + topology.phrase() : topology.phrase();
            default -> topology.phrase() + " of " + hosts.size();
        };
    }
}
