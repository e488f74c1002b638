package org.mongolocks.study.simulation;

import java.util.Optional;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** Is a session of the driver: numbers writes and transactions. */
final class Session {
    private final UUID id;
    private long transactionNumber;
    private boolean inTransaction;
    private boolean begun;
    private boolean hasEnded;
    private boolean dirty;
    private long lastCommit;
    private int grant;
    private Optional<TimeLimit> limit = Optional.empty();

    Session(UUID id) {
        this.id = id;
    }

    long transactionNumber() {
        return transactionNumber;
    }

    boolean isInTransaction() {
        return inTransaction;
    }

    /** Says which acquisition what is sent from now on belongs to; 0 for none. */
    void serve(int whichGrant) {
        grant = whichGrant;
    }

    int grant() {
        return grant;
    }

    /** Tells where in the order of execution the last answered command stands. */
    long lastCommit() {
        return lastCommit;
    }

    void answered(long commit) {
        lastCommit = commit;
    }

    /** After an error of the network the driver gives a session to nobody else. */
    void soil() {
        dirty = true;
    }

    boolean isDirty() {
        return dirty;
    }

    /** Limits what is sent from now on, for one run. */
    void limit(Optional<TimeLimit> ofRun) {
        limit = ofRun;
    }

    Optional<TimeLimit> limit() {
        return limit;
    }

    void start() {
        limit.ifPresent(TimeLimit::beginTransaction);
        transactionNumber++;
        inTransaction = true;
        begun = false;
        hasEnded = false;
    }

    /** Tells whether a transaction has a statement that the server may know. */
    boolean hasBegun() {
        return begun;
    }

    /** A commit may be repeated, so that the transaction is still known after it. */
    void end() {
        inTransaction = false;
        hasEnded = true;
    }

    /** Puts the session into a command of its own, as a retryable write if it is to be one. */
    void into(BsonDocument command, boolean numbered) {
        lsid(command);
        if (numbered) {
            command.append("txnNumber", new BsonInt64(++transactionNumber));
        }
    }

    /** Puts the session into a statement or an end of its transaction. */
    void intoTransaction(BsonDocument command) {
        lsid(command);
        command.append("txnNumber", new BsonInt64(transactionNumber)).append("autocommit", BsonBoolean.FALSE);
        if (!begun && !hasEnded) {
            begun = true;
            BsonDocument snapshot = new BsonDocument("level", new BsonString("snapshot"));
            command.append("startTransaction", BsonBoolean.TRUE).append("readConcern", snapshot);
        }
    }

    /** Names what a repeated command has in common with the first. */
    Optional<Object> execution(boolean isEnd) {
        return Optional.of(id + "/" + transactionNumber + (isEnd ? "/end" : ""));
    }

    private void lsid(BsonDocument command) {
        command.append("lsid", new BsonDocument("id", new BsonBinary(id)));
    }
}
