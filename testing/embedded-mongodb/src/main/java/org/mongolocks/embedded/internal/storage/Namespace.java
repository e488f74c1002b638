package org.mongolocks.embedded.internal.storage;

import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/**
 * A database and a collection.
 *
 * @param db the database
 * @param collection the collection
 */
public record Namespace(String db, String collection) implements Comparable<Namespace> {
    private static final int MAX_BYTES = 255;
    private static final String FORBIDDEN_IN_DB = "/\\. \"$\0";

    /** The namespace of a full name; the database ends at the first dot. */
    public static Namespace of(String fullName) {
        int dot = fullName.indexOf('.');
        return dot < 0
                ? new Namespace(fullName, "")
                : new Namespace(fullName.substring(0, dot), fullName.substring(dot + 1));
    }

    /** Whether a database may have this name. */
    public static boolean isValidDatabase(String name) {
        return !name.isEmpty() && name.length() < 64 && name.chars().noneMatch(c -> FORBIDDEN_IN_DB.indexOf(c) >= 0);
    }

    /** This namespace, if it may exist at all. */
    public Namespace checked() {
        boolean isValid = isValidDatabase(db)
                && !collection.isEmpty()
                && !collection.startsWith(".")
                && collection.indexOf('\0') < 0
                && collection.indexOf('$') < 0;
        if (!isValid) {
            throw new CommandError(ErrorCode.INVALID_NAMESPACE, "Invalid namespace specified '" + this + "'");
        }
        return this;
    }

    /** This namespace, if a client may create it. */
    public Namespace checkedForCreation() {
        checked();
        if (toString().length() > MAX_BYTES) {
            throw new CommandError(
                    ErrorCode.INVALID_NAMESPACE,
                    "Fully qualified namespace is too long. Namespace: " + this + " Max: " + MAX_BYTES);
        }
        return checkedForWriting();
    }

    /** This namespace, if a client may write to it. */
    public Namespace checkedForWriting() {
        checked();
        if (collection.startsWith("system.") && !collection.equals("system.js")) {
            throw new CommandError(ErrorCode.INVALID_NAMESPACE, "Invalid system namespace: " + this);
        }
        return this;
    }

    @Override
    public int compareTo(Namespace other) {
        int byDatabase = db.compareTo(other.db);
        return byDatabase != 0 ? byDatabase : collection.compareTo(other.collection);
    }

    @Override
    public String toString() {
        return collection.isEmpty() ? db : db + '.' + collection;
    }
}
