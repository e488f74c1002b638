package org.mongolocks.embedded.internal.write;

import de.bwaldvogel.mongo.bson.Document;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.query.Equalities;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.ShardKey;
import org.mongolocks.embedded.internal.write.UpdateStatement.UpdateRequest;

/** Which writes to a sharded collection a router can send to one shard, as a mongos of MongoDB 4.4 sees it. */
final class ShardRouting {
    private static final int CHANGE_WITHOUT_KEY = 31025;

    private ShardRouting() {}

    /** Checks an update or an upsert. */
    static void checkUpdate(
            Call call,
            @Nullable CollectionState collection,
            UpdateRequest request,
            Filter filter,
            boolean isReplacement) {
        ShardKey key = collection == null ? null : collection.options().shardKey();
        if (key == null || key.isGivenBy(filter)) {
            return;
        }
        refuseFindAndModify(call);
        if (request.isUpsert()) {
            throw new CommandError(
                    ErrorCode.SHARD_KEY_NOT_FOUND,
                    "Failed to target upsert by query :: could not extract exact shard key");
        }
        if (!request.isMulti() && !isReplacement && !isExactId(request.query(), filter)) {
            throw CommandError.invalidOptions(
                    "A {multi:false} update on a sharded collection must contain an exact match on _id (and have the"
                            + " collection default collation) or must target a single shard");
        }
    }

    /** Checks a delete of one document. */
    static void checkDelete(Call call, @Nullable CollectionState collection, Document query, Filter filter) {
        ShardKey key = collection == null ? null : collection.options().shardKey();
        if (key == null || key.isGivenBy(filter)) {
            return;
        }
        refuseFindAndModify(call);
        if (!isExactId(query, filter)) {
            throw new CommandError(
                    ErrorCode.SHARD_KEY_NOT_FOUND,
                    "A single delete on a sharded collection must contain an exact match on _id (and have the collection"
                            + " default collation) or contain the shard key (and have the simple collation)");
        }
    }

    private static void refuseFindAndModify(Call call) {
        if (call.definition().name().equals("findAndModify")) {
            throw new CommandError(
                    ErrorCode.SHARD_KEY_NOT_FOUND, "Query for sharded findAndModify must contain the shard key");
        }
    }

    private static boolean isExactId(Document query, Filter filter) {
        Document given = new Document();
        Equalities.in(filter, (path, value) -> given.put(path.toString(), value));
        return query.size() == 1 && given.containsKey("_id");
    }

    /** Checks an update that is about to be written: it moves a document to another shard only if that can be done as a whole. */
    static void checkMove(Call call, CollectionState collection, Filter filter, Document before, Document after) {
        ShardKey key = collection.options().shardKey();
        if (key == null || key.isSame(before, after)) {
            return;
        }
        if (!key.isGivenBy(filter)) {
            throw new CommandError(
                    CHANGE_WITHOUT_KEY,
                    "Shard key update is not allowed without specifying the full shard key in the query");
        }
        if (call.transaction() == null && call.retryNumber() == null) {
            throw CommandError.illegalOperation(
                    "Must run update to shard key field in a multi-statement transaction or with retryWrites: true.");
        }
    }
}
