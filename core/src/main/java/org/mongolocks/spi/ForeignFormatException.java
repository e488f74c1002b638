package org.mongolocks.spi;

import com.mongodb.MongoException;
import java.io.Serial;
import java.util.Objects;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.Reply.Fault;

/**
 * An exception thrown when a stored document is of another strategy, of another version, or of an application. It
 * never comes from a server: a program ends with it and {@link Fault#FOREIGN_FORMAT}, and the client throws a
 * {@link org.mongolocks.LockStorageException}.
 */
public final class ForeignFormatException extends MongoException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final @Nullable String found;
    private final String own;
    private final String collection;
    private final String id;

    private ForeignFormatException(@Nullable String found, String own, String collection, String id) {
        super("The document " + id + " is "
                + (found == null ? "without a format mark" : "of format '" + found + "'")
                + ", not of format '" + own + "'");
        this.found = found;
        this.own = own;
        this.collection = collection;
        this.id = id;
    }

    /**
     * Checks the format mark of a lock document.
     *
     * @param stored the document, with its {@code _id}
     * @param own the only mark that may be read
     * @return the failure to end with if the document has another mark or none; empty if it may be read
     */
    public static Optional<Reply.Failed> in(BsonDocument stored, String own) {
        return in(stored, own, LockSchema.LOCKS);
    }

    /**
     * Checks the format mark of a document in any collection of a strategy.
     *
     * @param stored the document, with its {@code _id}
     * @param own the only mark that may be read
     * @param collection the name of its collection in the {@link LockSchema}
     * @return the failure to end with if the document has another mark or none; empty if it may be read
     */
    public static Optional<Reply.Failed> in(BsonDocument stored, String own, String collection) {
        BsonValue value = stored.get(LockFields.FORMAT);
        String found =
                value == null ? null : value.isString() ? value.asString().getValue() : value.toString();
        return own.equals(found)
                ? Optional.empty()
                : Optional.of(new Reply.Failed(
                        Fault.FOREIGN_FORMAT, new ForeignFormatException(found, own, collection, id(stored))));
    }

    private static String id(BsonDocument stored) {
        BsonValue id = stored.get(LockFields.ID);
        return id != null && id.isString() ? "'" + id.asString().getValue() + "'" : String.valueOf(id);
    }

    /**
     * Returns the mark that was found.
     *
     * @return the mark, empty if there was none
     */
    public Optional<String> found() {
        return Optional.ofNullable(found);
    }

    /**
     * Returns the mark that the strategy reads.
     *
     * @return the mark
     */
    public String own() {
        return own;
    }

    /**
     * Returns the collection of the document.
     *
     * @return its name in the {@link LockSchema}
     */
    public String collection() {
        return collection;
    }

    /**
     * Returns the {@code _id} of the document.
     *
     * @return the {@code _id} as a text
     */
    public String id() {
        return id;
    }

    /** Programs are compared by their results: two that found the same mark are equal. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ForeignFormatException foreign
                && found().equals(foreign.found())
                && own.equals(foreign.own);
    }

    @Override
    public int hashCode() {
        return Objects.hash(found, own);
    }
}
