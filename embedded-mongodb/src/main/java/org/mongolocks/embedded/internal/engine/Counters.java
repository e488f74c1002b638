package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.Document;

/** How many operations of each kind the server has done. */
public final class Counters {
    private long inserts;
    private long queries;
    private long updates;
    private long deletes;
    private long getMores;
    private long commands;

    public void insert() {
        inserts++;
    }

    public void query() {
        queries++;
    }

    public void update() {
        updates++;
    }

    public void delete() {
        deletes++;
    }

    public void getMore() {
        getMores++;
    }

    public void command() {
        commands++;
    }

    /** The counts as serverStatus shows them. */
    public Document document() {
        return new Document("insert", inserts)
                .append("query", queries)
                .append("update", updates)
                .append("delete", deletes)
                .append("getmore", getMores)
                .append("command", commands);
    }
}
