package org.mongolocks.internal;

import com.mongodb.MongoException;
import org.bson.BsonDocument;

/** Is told what a change stream tells. It returns soon. */
public interface ChangeListener {
    /** Every change after this moment will be told. */
    void opened();

    /**
     * Something happened to a lock document, or to their collection.
     *
     * @param change the event, as {@link LockChanges#pipeline()} lets it through
     */
    void changed(BsonDocument change);

    /** Nothing happened for about a second. */
    void quiet();

    /**
     * The stream has ended by itself, or was never opened.
     *
     * @param cause why
     */
    void failed(MongoException cause);
}
