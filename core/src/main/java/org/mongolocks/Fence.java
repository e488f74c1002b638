package org.mongolocks;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.conversions.Bson;
import org.mongolocks.internal.BothFilters;
import org.mongolocks.internal.FencedUpdate;
import org.mongolocks.internal.FieldPath;

/**
 * Fences documents that a lock guards: each keeps the largest token that it has <em>seen</em>, and refuses smaller ones.
 *
 * <p>Whoever holds the lock first touches a document, which reads and marks it in one command, and then writes it. To mark
 * only what is written is not enough: a late holder could still write between the read and the write of the next one, and
 * its write would be lost, or lose another.
 *
 * <pre>{@code
 * Fence fence = Fence.of(lock.lease());
 * BsonDocument account = accounts.findOneAndUpdate(eq("_id", 7), fence.touch(), afterwards);
 * fence.requireSeen(account);
 * accounts.updateOne(fence.writeFilter(eq("_id", 7)), fence.write(inc("balance", 5)));
 * }</pre>
 *
 * The clients do these steps: {@code FencedCollection} and {@code ReactiveFencedCollection}.
 *
 * <p>Tokens of different locks cannot be compared. Let one lock guard a document; if two have to, give each a
 * {@linkplain #withField field of its own}, touch with both, and nest their filters and updates in one write. Immutable.
 *
 * @param field where the document keeps the largest token that it has seen: a name, or names with dots between them, that
 *     nothing else uses
 * @param token the token of a grant, at least 1
 */
public record Fence(String field, long token) {
    /** The field unless another is chosen: {@value}. */
    public static final String DEFAULT_FIELD = "fence";

    /**
     * Checks field and token.
     *
     * @param field where the document keeps the largest token
     * @param token the token of a grant, at least 1
     * @throws IllegalArgumentException if the token is less than 1; or if the field is {@code _id} or in it, has an empty
     *     part, a part that begins with {@code $} or is an index, or a NUL character
     */
    public Fence {
        FieldPath.require("The field of a fence", field);
        if (token < 1) {
            throw new IllegalArgumentException("A fencing token is at least 1, but it was " + token);
        }
    }

    /**
     * Makes the fence of a grant, in the default field.
     *
     * @param lease the grant
     * @return the fence
     */
    public static Fence of(Lease lease) {
        return of(lease.fencingToken());
    }

    /**
     * Makes the fence of a token that was passed on, in the default field.
     *
     * @param token the token, at least 1
     * @return the fence
     * @throws IllegalArgumentException if the token is less than 1
     */
    public static Fence of(long token) {
        return new Fence(DEFAULT_FIELD, token);
    }

    /**
     * Chooses another field.
     *
     * @param other the field
     * @return a fence with the same token
     * @throws IllegalArgumentException as the constructor
     */
    public Fence withField(String other) {
        return new Fence(other, token);
    }

    /**
     * Gives the update that touches a document. With a larger token in it the document stays as it is, and what comes back
     * {@linkplain #requireSeen tells}.
     *
     * @return an update that marks the document
     */
    public Bson touch() {
        return new BsonDocument("$max", new BsonDocument(field, new BsonInt64(token)));
    }

    /**
     * Selects what may be touched: no larger token was seen. It is needed only where the touched document does not come
     * back; a write that reads nothing before may use it with {@link #write} instead of a touch.
     *
     * @param own which document
     * @return both conditions
     */
    public Bson touchFilter(Bson own) {
        BsonDocument upToMine = new BsonDocument("$lte", new BsonInt64(token));
        BsonArray either =
                new BsonArray(List.of(new BsonDocument(field, BsonNull.VALUE), new BsonDocument(field, upToMine)));
        return new BothFilters(own, new BsonDocument("$or", either));
    }

    /**
     * Selects what may be written: this token has touched it, and no larger one.
     *
     * @param own which document
     * @return both conditions
     */
    public Bson writeFilter(Bson own) {
        return new BothFilters(own, new BsonDocument(field, new BsonInt64(token)));
    }

    /**
     * Adds the mark to an update.
     *
     * @param operators the update, by operators
     * @return both. The driver fails with {@link IllegalArgumentException} if the update changes the field of the fence.
     */
    public Bson write(Bson operators) {
        return new FencedUpdate(this, operators);
    }

    /**
     * Adds the mark to an update by a pipeline. Strings in a pipeline that begin with {@code $} are expressions: put
     * values in {@code $literal}.
     *
     * @param stages the update, by stages
     * @return the stages, and one more
     */
    public List<Bson> write(List<? extends Bson> stages) {
        return FencedUpdate.byPipeline(this, stages);
    }

    /**
     * Checks that no later holder has touched a document, by the document as it is after a touch or at any later time.
     *
     * @param document the document, with the field of the fence
     * @throws StaleTokenException if it has seen a larger token
     * @throws IllegalStateException if it was not touched with this token, or has something else in the field than a number
     */
    public void requireSeen(BsonDocument document) {
        long seen = FieldPath.number(field, document);
        if (seen > token) {
            throw new StaleTokenException(this, seen);
        }
        if (seen < token) {
            throw new IllegalStateException("A document is touched before it is written, but with token " + token
                    + " it was not: its field '" + field + "' says " + seen);
        }
    }
}
