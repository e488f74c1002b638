package org.mongolocks.protocol;

import com.mongodb.MongoException;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.LockFields;
import org.mongolocks.spi.Reply;

/** Makes the replies that a test gives to a program. */
public final class Replies {
    private Replies() {}

    /**
     * Answers with a document.
     *
     * @param document the document as it is stored
     * @return the reply to a write that returns the document
     */
    public static Reply found(BsonDocument document) {
        return Reply.Found.of(document);
    }

    /**
     * Answers a look at a lock, or a write that returns it, which asks for the server's time too.
     *
     * @param document the document as it is stored
     * @return the reply, with {@link StoredLocks#SERVER_TIME} for {@code now}
     */
    public static Reply seen(BsonDocument document) {
        return Reply.Found.of(withServerTime(document));
    }

    /**
     * Answers that no document matches.
     *
     * @return the reply
     */
    public static Reply none() {
        return Reply.Found.none();
    }

    /**
     * Answers how many documents a write matched.
     *
     * @param matched how many
     * @return the reply
     */
    public static Reply counted(long matched) {
        return new Reply.Counted(matched, false);
    }

    /**
     * Answers that it is done.
     *
     * @return the reply
     */
    public static Reply acknowledged() {
        return new Reply.Acknowledged();
    }

    /**
     * Answers with a fault.
     *
     * @param fault what went wrong
     * @return the reply
     */
    public static Reply.Failed failed(Fault fault) {
        return new Reply.Failed(fault, new MongoException("A scripted fault: " + fault));
    }

    static BsonDocument withServerTime(BsonDocument stored) {
        BsonDateTime now = new BsonDateTime(StoredLocks.SERVER_TIME.toEpochMilli());
        return stored.clone().append(LockFields.NOW, now);
    }
}
