package org.mongolocks.embedded.internal.session;

import de.bwaldvogel.mongo.bson.BinData;
import de.bwaldvogel.mongo.bson.Document;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A logical session of a client, as the running server knows it. */
public final class Session {
    // The digest of the user, of whom there is none.
    private static final BinData NO_USER =
            new BinData(HexFormat.of().parseHex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));

    /** The use of the latest number of a session. */
    public enum State {
        /** No number has been used, or a retryable write. */
        RETRYABLE_WRITE,
        IN_PROGRESS,
        COMMITTED,
        ABORTED
    }

    private final UUID id;
    private long txnNumber = -1;
    private State state = State.RETRYABLE_WRITE;
    private @Nullable Transaction transaction;
    private @Nullable Object user;
    private long lastUsed;

    /** A session as it is stored, or a new one. */
    public Session(UUID id, @Nullable SessionRecord record) {
        this.id = id;
        if (record != null) {
            txnNumber = record.txnNumber();
            state = record.isCommittedTransaction() ? State.COMMITTED : State.RETRYABLE_WRITE;
        }
    }

    /** A session in the same state, with an open transaction of its own, and no command at work. */
    public Session copy() {
        Session copy = new Session(id, null);
        copy.txnNumber = txnNumber;
        copy.state = state;
        copy.transaction = transaction == null ? null : transaction.copyFor(copy);
        copy.lastUsed = lastUsed;
        return copy;
    }

    public UUID id() {
        return id;
    }

    /** The session as change events name it. */
    public Document document() {
        return new Document("id", id).append("uid", NO_USER);
    }

    public long txnNumber() {
        return txnNumber;
    }

    public State state() {
        return state;
    }

    /** The open transaction, or null. */
    public @Nullable Transaction transaction() {
        return transaction;
    }

    /** Begins a retryable write. */
    public void begin(long number) {
        txnNumber = number;
        state = State.RETRYABLE_WRITE;
        transaction = null;
    }

    /** Begins a transaction. */
    public void begin(Transaction begun) {
        txnNumber = begun.number();
        state = State.IN_PROGRESS;
        transaction = begun;
    }

    /** Ends the transaction. */
    public void end(State end) {
        state = end;
        transaction = null;
    }

    public long lastUsed() {
        return lastUsed;
    }

    public void usedAt(long millis) {
        lastUsed = millis;
    }

    /** Whether a command is at work with this session, so that others with a number must wait. */
    public boolean isCheckedOut() {
        return user != null;
    }

    /** Takes the session for a command. */
    public void checkOut(Object command) {
        user = command;
    }

    /** Gives the session back, if this command has it. */
    public void checkIn(Object command) {
        if (user == command) {
            user = null;
        }
    }
}
