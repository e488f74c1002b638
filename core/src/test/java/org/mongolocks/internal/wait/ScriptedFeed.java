package org.mongolocks.internal.wait;

import com.mongodb.MongoException;
import com.mongodb.client.model.changestream.OperationType;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;

/** A change feed that delivers scripted events, and records which streams were opened and closed. */
public final class ScriptedFeed implements ChangeFeed {
    public int closed;
    boolean reportsQuiet;
    boolean failsToClose;
    /** The replies to the probes of the pool; none is answered, so that each stall is a shortage, unless a test adds one. */
    public final Deque<CompletableFuture<Void>> probes = new ArrayDeque<>();

    private final List<Listener> opened = new ArrayList<>();

    @Override
    public Subscription open(List<BsonDocument> pipeline, Listener listener) {
        opened.add(listener);
        return this::close;
    }

    private void close() {
        closed++;
        if (failsToClose) {
            throw new IllegalStateException("cannot be closed");
        }
    }

    @Override
    public boolean reportsQuiet() {
        return reportsQuiet;
    }

    @Override
    public CompletableFuture<Void> probe() {
        return probes.isEmpty() ? ChangeFeed.super.probe() : probes.remove();
    }

    public int opened() {
        return opened.size();
    }

    public void tellsThatItIsOpen() {
        newest().opened();
    }

    public void tells(OperationType type, String lock) {
        newest().changed(event(type).append("documentKey", new BsonDocument("_id", new BsonString(lock))));
    }

    /** Delivers a release after which these waiters come first. */
    void tellsOfTurn(String lock, long revision, Long... turn) {
        tellsOfTurn(lock, revision, Duration.ZERO, turn);
    }

    /** Delivers a release after which the lock stays held for a while. */
    void tellsOfTurn(String lock, long revision, Duration heldFor, Long... turn) {
        newest().changed(event(OperationType.UPDATE)
                .append("documentKey", new BsonDocument("_id", new BsonString(lock)))
                .append("revision", new BsonInt64(revision))
                .append(
                        "turn",
                        new BsonArray(Stream.of(turn).map(BsonInt64::new).toList()))
                .append("heldMillis", new BsonInt64(heldFor.toMillis())));
    }

    /** Delivers a deletion of a document whose id is no string. */
    void tellsOfADocumentThatIsNoLock() {
        newest().changed(event(OperationType.DELETE).append("documentKey", new BsonDocument("_id", new BsonInt32(1))));
    }

    void tellsOfTheCollection(OperationType type) {
        newest().changed(event(type));
    }

    void fails(MongoException cause) {
        newest().failed(cause);
    }

    public void isQuiet() {
        newest().quiet();
    }

    Listener newest() {
        return opened.get(opened.size() - 1);
    }

    private static BsonDocument event(OperationType type) {
        return new BsonDocument("operationType", new BsonString(type.getValue()));
    }
}
