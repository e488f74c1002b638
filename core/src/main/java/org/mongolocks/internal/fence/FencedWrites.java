package org.mongolocks.internal.fence;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.MongoWriteException;
import com.mongodb.WriteConcernResult;
import com.mongodb.WriteError;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.WriteModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Fence;

/**
 * Writes of documents that a token has touched, sent as one bulk; a single write is a bulk of one, which is the same
 * command.
 *
 * @param models the writes
 * @param options the options of the bulk
 * @param searches the reads that find why a write found no document
 */
public record FencedWrites(
        List<WriteModel<BsonDocument>> models, BulkWriteOptions options, List<UnwrittenSearch> searches) {
    /** The most filters in one search, for the sake of its size: 1000. */
    static final int MAX_FILTERS = 1000;

    /**
     * A write, with the user's filter and what decides which documents that filter matches.
     *
     * @param model the write
     * @param filter the user's filter
     * @param matching how it matches
     */
    record One(WriteModel<BsonDocument> model, Bson filter, Matching matching) {}

    /** The options of a write that decide which documents its filter matches. */
    public record Matching(
            @Nullable Collation collation,
            @Nullable Bson hint,
            @Nullable String hintString) {}

    /**
     * A read of documents that match filters of the user, but were not touched with this token.
     *
     * @param filter the filter of the read
     * @param matching the options of the writes
     * @param let the variables of the bulk
     */
    public record UnwrittenSearch(
            Bson filter, Matching matching, @Nullable Bson let) {}

    static FencedWrites of(Fence fence, List<One> writes, BulkWriteOptions options) {
        Map<Matching, List<Bson>> filters = new LinkedHashMap<>();
        writes.forEach(write -> filters.computeIfAbsent(write.matching(), key -> new ArrayList<>())
                .add(write.filter()));
        List<UnwrittenSearch> searches = new ArrayList<>();
        filters.forEach((matching, all) -> {
            for (int from = 0; from < all.size(); from += MAX_FILTERS) {
                List<Bson> some = all.subList(from, Math.min(all.size(), from + MAX_FILTERS));
                Bson unwritten = Filters.and(anyOf(some), Filters.ne(fence.field(), fence.token()));
                searches.add(new UnwrittenSearch(unwritten, matching, options.getLet()));
            }
        });
        return new FencedWrites(writes.stream().map(One::model).toList(), options, List.copyOf(searches));
    }

    /** Some conditions, for example $near, are not allowed within $or. */
    private static Bson anyOf(List<Bson> filters) {
        return filters.size() == 1 ? filters.get(0) : Filters.or(filters);
    }

    /** Returns the number of writes that found their document. */
    public static long written(BulkWriteResult result) {
        return (long) result.getMatchedCount() + result.getDeletedCount();
    }

    /** Returns what the driver throws for a single write, given what it throws for a bulk of one. */
    public static MongoException single(MongoBulkWriteException e) {
        if (!e.getWriteErrors().isEmpty()) {
            BulkWriteError first = e.getWriteErrors().get(0);
            return new MongoWriteException(
                    new WriteError(first.getCode(), first.getMessage(), first.getDetails()),
                    e.getServerAddress(),
                    e.getErrorLabels());
        }
        int written = (int) written(e.getWriteResult());
        return new MongoWriteConcernException(
                Objects.requireNonNull(e.getWriteConcernError()),
                WriteConcernResult.acknowledged(written, e.getWriteResult().getMatchedCount() > 0, null),
                e.getServerAddress(),
                e.getErrorLabels());
    }
}
