package org.mongolocks.internal.base;

import com.mongodb.MongoNamespace;
import java.util.Objects;

/** The check of the name of a database, before the driver's own, which does not say the name. */
public final class DatabaseName {
    private DatabaseName() {}

    /**
     * Returns a name.
     *
     * @throws IllegalArgumentException if no database can have it
     */
    public static String require(String name) {
        try {
            MongoNamespace.checkDatabaseNameValidity(Objects.requireNonNull(name, "The name of the database is null"));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "database must be a name without spaces, dots and / \\ \", was '" + name + "'", e);
        }
        return name;
    }
}
