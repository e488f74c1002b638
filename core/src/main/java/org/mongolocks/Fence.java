package org.mongolocks;

import java.util.List;
import java.util.Objects;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/**
 * A fencing token bound to a field of the documents that a lock guards. Each document stores the largest token that it
 * has <em>seen</em>, and writes with a smaller token do not match it.
 *
 * <p>A holder first touches a document: one command reads it and stores the token in it. Then the holder writes it. To
 * store the token only with the write is not enough. A late holder could still write between the read and the write of
 * the next holder, and one of the two writes would be lost.
 *
 * <pre>{@code
 * Fence fence = Fence.of(lock.lease());
 * var after = new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);
 * BsonDocument account = accounts.findOneAndUpdate(eq("_id", 7), fence.touch(), after);
 * fence.requireTouched(account);
 * UpdateResult result = accounts.updateOne(fence.writeFilter(eq("_id", 7)), fence.write(inc("balance", 5)));
 * if (result.getMatchedCount() == 0) {
 *     // A later holder has touched the document: nothing was written.
 * }
 * }</pre>
 *
 * {@code FencedCollection} and {@code ReactiveFencedCollection} of the clients do these steps.
 *
 * <p>Tokens of different locks cannot be compared. Use one lock for each document. If two locks protect the same
 * document, use a {@linkplain #withField different field} for each, touch with both, and pass the filter and the update
 * of one fence to the other. Immutable.
 *
 * @param field the field that stores the largest token seen: a name, or names separated by dots, that nothing else uses
 * @param token the token of a grant, at least 1
 */
public record Fence(String field, long token) {
    /** The field unless another is chosen: {@value}. */
    public static final String DEFAULT_FIELD = "fence";

    /**
     * Checks field and token.
     *
     * @param field the field that stores the largest token seen
     * @param token the token of a grant, at least 1
     * @throws IllegalArgumentException if the token is less than 1, or the field is {@code _id} or inside it. Also if
     *     the field has a NUL character, or a part that is empty, begins with {@code $} or is an array index
     */
    public Fence {
        Objects.requireNonNull(field, "The field is null");
        FenceFieldPath.require("field", field);
        if (token < 1) {
            throw new IllegalArgumentException("fencing token must be at least 1, was " + token);
        }
    }

    /**
     * Returns the fence of a grant, in the {@linkplain #DEFAULT_FIELD default field}.
     *
     * @param lease the grant
     * @return the fence
     */
    public static Fence of(Lease lease) {
        return of(Objects.requireNonNull(lease, "The lease is null").fencingToken());
    }

    /**
     * Returns the fence of a token that was received from another process, in the
     * {@linkplain #DEFAULT_FIELD default field}.
     *
     * @param token the token, at least 1
     * @return the fence
     * @throws IllegalArgumentException if the token is less than 1
     */
    public static Fence of(long token) {
        return new Fence(DEFAULT_FIELD, token);
    }

    /**
     * Returns a fence with the same token in another field.
     *
     * @param other the field
     * @return a fence with the same token
     * @throws IllegalArgumentException if the field is invalid; see the constructor
     */
    @CheckReturnValue
    public Fence withField(String other) {
        return new Fence(other, token);
    }

    /**
     * Returns the update that touches a document. A document that has seen a larger token stays as it is: check the
     * returned document with {@link #requireTouched}.
     *
     * @return an update that stores the token
     */
    public Bson touch() {
        return new BsonDocument("$max", new BsonDocument(field, new BsonInt64(token)));
    }

    /**
     * Returns the filter for documents that may be touched: those that have seen no larger token. It is needed only
     * where the touched document is not returned; a write that depends on no earlier read may use it with
     * {@link #write} instead of a touch. If no document matches, nothing was written and nothing is thrown.
     *
     * @param own the caller's filter
     * @return a filter with both conditions
     */
    public Bson touchFilter(Bson own) {
        BsonDocument upToMine = new BsonDocument("$lte", new BsonInt64(token));
        BsonArray either =
                new BsonArray(List.of(new BsonDocument(field, BsonNull.VALUE), new BsonDocument(field, upToMine)));
        return new AndFilter(own, new BsonDocument("$or", either));
    }

    /**
     * Returns the filter for documents that may be written: this token has touched them, and no larger one has. If no
     * document matches, nothing was written and nothing is thrown: check the number of matches.
     *
     * @param own the caller's filter
     * @return a filter with both conditions
     */
    public Bson writeFilter(Bson own) {
        return new AndFilter(own, new BsonDocument(field, new BsonInt64(token)));
    }

    /**
     * Returns an update by operators, extended to store the token. That is needed with {@link #touchFilter}, and when
     * the update may insert the document.
     *
     * @param operators the update
     * @return the update and the token. The driver fails with {@link IllegalArgumentException} if the update changes
     *     the field of the fence, also as the target of {@code $rename}, or is not by operators.
     */
    public Bson write(Bson operators) {
        return new FencedUpdate(this, operators);
    }

    /**
     * Returns an update by a pipeline, extended to store the token. Strings in a pipeline that begin with {@code $} are
     * expressions: put values in {@code $literal}.
     *
     * @param stages the update, by stages
     * @return the stages, followed by one that sets the field to the token. The server refuses the update if the field is
     *     nested, and a stage has put something other than a document in its place.
     */
    public List<Bson> write(List<? extends Bson> stages) {
        return FencedUpdate.byPipeline(this, stages);
    }

    /**
     * Returns a replacement with the token in it. Everything else that the document stores is replaced, also the field
     * of another lock's fence if the replacement lacks it.
     *
     * @param document the replacement; its field of the fence is missing, null, zero or this token
     * @return a copy of the replacement, and the token
     * @throws IllegalArgumentException if the replacement has something else in the field of the fence, or a field whose
     *     name is the path of the fence, with a dot in it
     */
    public BsonDocument replacement(BsonDocument document) {
        return FenceFieldPath.with(field, token, document);
    }

    /**
     * Checks that this token is the largest that has touched a document, given the document as it is after a touch or
     * at any later time.
     *
     * @param document the document, with the field of the fence
     * @throws StaleTokenException if it has seen a larger token
     * @throws IllegalStateException if it was not touched with this token, or the field holds something other than a
     *     number
     */
    public void requireTouched(BsonDocument document) {
        long seen = FenceFieldPath.number(field, document);
        if (seen > token) {
            throw new StaleTokenException(this, seen);
        }
        if (seen < token) {
            throw new IllegalStateException("A document must be touched before it is written, but token " + token
                    + " has not touched this one: its field '" + field + "' is " + seen);
        }
    }

    /** The conjunction of a user's filter and another filter. */
    private record AndFilter(Bson own, BsonDocument other) implements Bson {
        @Override
        public <T> BsonDocument toBsonDocument(Class<T> type, CodecRegistry registry) {
            return new BsonDocument("$and", new BsonArray(List.of(own.toBsonDocument(type, registry), other)));
        }
    }
}
