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
 * An exception thrown when a stored document is of another strategy, of another version, or not a lock document. It
 * never comes from a server: a program ends with it and {@link Fault#FOREIGN_FORMAT}, and the client throws an
 * {@link org.mongolocks.LockFormatException}.
 */
public final class ForeignFormatException extends MongoException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final @Nullable String found;
    private final String own;

    private ForeignFormatException(@Nullable String found, String own) {
        super("The document is "
                + (found == null ? "without a format mark" : "of format '" + found + "'")
                + ", not of format '" + own + "'");
        this.found = found;
        this.own = own;
    }

    /**
     * Checks the format mark of a document.
     *
     * @param stored the document
     * @param own the only mark that may be read
     * @return the failure to end with if the document has another mark or none; empty if it may be read
     */
    public static Optional<Reply.Failed> in(BsonDocument stored, String own) {
        BsonValue value = stored.get(LockFields.FORMAT);
        String found =
                value == null ? null : value.isString() ? value.asString().getValue() : value.toString();
        return own.equals(found)
                ? Optional.empty()
                : Optional.of(new Reply.Failed(Fault.FOREIGN_FORMAT, new ForeignFormatException(found, own)));
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
