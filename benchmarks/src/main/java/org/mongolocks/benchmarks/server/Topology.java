package org.mongolocks.benchmarks.server;

/** Is how the servers of a deployment belong together. */
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

    /** Gives the name for people. */
    public String phrase() {
        return phrase;
    }

    /** Gives the name for programs. */
    public String id() {
        return phrase.replace(' ', '-');
    }
}
