package org.mongolocks.doctor.check;

import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.bson.BsonDocument;

/** Collections that belong to one run of the doctor, and are dropped when it is closed. Thread-safe. */
public final class Scratch implements AutoCloseable {
    static final String PREFIX = "mongo_locks_doctor_";

    private final MongoDatabase database;
    private final String name = PREFIX + UUID.randomUUID().toString().replace("-", "");
    private final Set<String> used = new TreeSet<>();
    private boolean closed;

    Scratch(MongoDatabase database) {
        this.database = database.withWriteConcern(WriteConcern.MAJORITY);
    }

    /** Returns a collection of this run; nothing is created yet. */
    MongoCollection<BsonDocument> collection(String what) {
        return database.getCollection(name(what), BsonDocument.class);
    }

    /** Returns the name of a collection of this run, and registers it to be dropped. */
    synchronized String name(String what) {
        if (closed) {
            throw new IllegalStateException("The scratch collections are dropped already");
        }
        String full = name + "." + what;
        used.add(full);
        return full;
    }

    /** Drops the collections. */
    @Override
    public synchronized void close() {
        closed = true;
        MongoException failure = null;
        for (String collection : used) {
            try {
                drop(collection);
            } catch (MongoException e) {
                failure = e;
            }
        }
        used.clear();
        if (failure != null && !Errors.isNotAllowed(failure)) {
            throw failure;
        }
    }

    /** An interrupt during this ends the command, not the clean-up. */
    private void drop(String collection) {
        try {
            database.getCollection(collection).drop();
        } catch (MongoInterruptedException e) {
            Thread.interrupted();
            database.getCollection(collection).drop();
        }
    }
}
