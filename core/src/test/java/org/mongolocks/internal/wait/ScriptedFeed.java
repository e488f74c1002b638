package org.mongolocks.internal.wait;

import com.mongodb.MongoException;
import com.mongodb.client.model.changestream.OperationType;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;

/** A change feed that delivers scripted events, and records which streams were opened and closed. */
public final class ScriptedFeed implements ChangeFeed {
    public int closed;
    boolean reportsQuiet;
    boolean failsToClose;
    private final List<Listener> opened = new ArrayList<>();
    private final List<List<BsonDocument>> pipelines = new ArrayList<>();

    @Override
    public Subscription open(List<BsonDocument> pipeline, Listener listener) {
        pipelines.add(pipeline);
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

    public int opened() {
        return opened.size();
    }

    /** Returns the filter of the newest stream. */
    String newestFilter() {
        return pipelines.get(pipelines.size() - 1).get(0).toJson();
    }

    public void tellsThatItIsOpen() {
        newest().opened();
    }

    public void tells(OperationType type, String lock) {
        newest().changed(event(type).append("documentKey", new BsonDocument("_id", new BsonString(lock))));
    }

    /** Delivers a change that makes the revision this one. */
    void tells(OperationType type, String lock, long revision) {
        newest().changed(event(type)
                .append("documentKey", new BsonDocument("_id", new BsonString(lock)))
                .append("revision", new BsonInt64(revision)));
    }

    /** Delivers a change that the server made at a logical time. */
    void tells(OperationType type, String lock, BsonTimestamp at) {
        newest().changed(event(type)
                .append("documentKey", new BsonDocument("_id", new BsonString(lock)))
                .append("clusterTime", at));
    }

    /** Delivers a release after which some clients are in the list of those that wait; this one too, if it has a place. */
    void tellsOfListedRelease(String lock, long revision, int waiting, int place) {
        newest().changed(release(lock, revision)
                .append("waiting", new BsonInt32(waiting))
                .append("place", new BsonInt32(place)));
    }

    /** Of a lock in whose document no client is listed as waiting. */
    void tellsOfUnlistedRelease(String lock, long revision) {
        newest().changed(release(lock, revision));
    }

    private BsonDocument release(String lock, long revision) {
        return event(OperationType.UPDATE)
                .append("documentKey", new BsonDocument("_id", new BsonString(lock)))
                .append("revision", new BsonInt64(revision));
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
