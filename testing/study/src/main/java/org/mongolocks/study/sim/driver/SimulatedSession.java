package org.mongolocks.study.sim.driver;

import java.util.Optional;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;

/** A session of the driver, which numbers writes and transactions. */
public final class SimulatedSession {
    private final UUID id;
    private long transactionNumber;
    private boolean inTransaction;
    private boolean begun;
    private boolean hasEnded;
    private boolean dirty;
    private long lastCommit;
    private int grant;
    private Optional<TimeLimit> limit = Optional.empty();

    public SimulatedSession(UUID id) {
        this.id = id;
    }

    public long transactionNumber() {
        return transactionNumber;
    }

    public boolean isInTransaction() {
        return inTransaction;
    }

    /** Sets the acquisition of the following commands; 0 for none. */
    public void serve(int whichGrant) {
        grant = whichGrant;
    }

    int grant() {
        return grant;
    }

    /** Returns the position of the last command with a reply in the server's order. */
    public long lastCommit() {
        return lastCommit;
    }

    void answered(long commit) {
        lastCommit = commit;
    }

    /** Marks the session as dirty: after a network error the driver does not reuse it. */
    public void markDirty() {
        dirty = true;
    }

    public boolean isDirty() {
        return dirty;
    }

    /** Sets the time limit of the following commands, for one run. */
    public void limit(Optional<TimeLimit> ofRun) {
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

    /** Begins or ends a transaction if nothing is sent for that, and returns whether this was so: a start, or the end of none. */
    public boolean handles(Boundary boundary) {
        if (boundary == Boundary.START) {
            start();
            return true;
        }
        boolean nothingToEnd = !begun || (boundary == Boundary.ABORT && !inTransaction);
        if (nothingToEnd) {
            end();
        }
        return nothingToEnd;
    }

    /** Ends the transaction; it stays known, because a commit may be retried. */
    public void end() {
        inTransaction = false;
        hasEnded = true;
    }

    /** Adds the session to a single command, with a number if it is a retryable write. */
    public void into(BsonDocument command, boolean numbered) {
        lsid(command);
        if (numbered) {
            command.append("txnNumber", new BsonInt64(++transactionNumber));
        }
    }

    /** Adds the session to a statement or the end of its transaction. */
    public void intoTransaction(BsonDocument command) {
        lsid(command);
        command.append("txnNumber", new BsonInt64(transactionNumber)).append("autocommit", BsonBoolean.FALSE);
        if (!begun && !hasEnded) {
            begun = true;
            BsonDocument snapshot = new BsonDocument("level", new BsonString("snapshot"));
            command.append("startTransaction", BsonBoolean.TRUE).append("readConcern", snapshot);
        }
    }

    /** Returns the key that a command shares with its retries. */
    Optional<Object> execution(boolean isEnd) {
        return Optional.of(id + "/" + transactionNumber + (isEnd ? "/end" : ""));
    }

    private void lsid(BsonDocument command) {
        command.append("lsid", new BsonDocument("id", new BsonBinary(id)));
    }
}
