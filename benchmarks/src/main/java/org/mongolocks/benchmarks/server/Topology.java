package org.mongolocks.benchmarks.server;

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
