package org.mongolocks.reporting.server;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * A description of the server of a run, without secrets.
 *
 * @param kind whether it is the embedded server
 * @param version the version of MongoDB that it reports
 * @param topology the type of the deployment
 * @param hosts its members, with their ports
 * @param majorityLag the delay of {@code w: majority} acknowledgements on the embedded server
 */
public record ServerDescription(
        Kind kind, String version, Topology topology, List<String> hosts, Duration majorityLag) {
    /** The origin of a server. */
    public enum Kind {
        /** The server in this JVM. */
        EMBEDDED,
        /** The server of a connection string. */
        URI;

        /** Returns the name in JSON. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public ServerDescription {
        hosts = List.copyOf(hosts);
    }

    /** Returns a description in words. */
    public String words() {
        return kind == Kind.EMBEDDED
                ? "the embedded server (MongoDB " + version + ", " + size() + lag() + ")"
                : "MongoDB " + version + ", " + size() + ", at " + String.join(",", hosts);
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

    /** The type of a deployment. */
    public enum Topology {
        STANDALONE("standalone"),
        REPLICA_SET("replica set"),
        SHARDED("sharded cluster"),
        LOAD_BALANCED("load-balanced cluster"),
        UNKNOWN("unknown topology");

        private final String phrase;

        Topology(String phrase) {
            this.phrase = phrase;
        }

        /** Returns the name for the user. */
        public String phrase() {
            return phrase;
        }

        /** Returns the name in JSON. */
        public String id() {
            return phrase.replace(' ', '-');
        }
    }
}
