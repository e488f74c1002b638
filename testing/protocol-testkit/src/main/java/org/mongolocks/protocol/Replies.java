package org.mongolocks.protocol;

import com.mongodb.MongoException;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;

/** Factory methods for the replies of a test to a program. */
public final class Replies {
    private Replies() {}

    /**
     * Returns the reply with a document.
     *
     * @param document the document as it is stored
     * @return the reply to a write that returns the document
     */
    public static Reply found(BsonDocument document) {
        return Reply.Found.of(document);
    }

    /**
     * Returns the reply to a read of a lock, or to a write that returns it, with the server's time.
     *
     * @param document the document as it is stored
     * @return the reply, with {@link LockDocumentFixtures#SERVER_TIME} for {@code now}
     */
    public static Reply foundWithTime(BsonDocument document) {
        return Reply.Found.of(withServerTime(document));
    }

    /**
     * Returns the reply without a document.
     *
     * @return the reply
     */
    public static Reply none() {
        return Reply.Found.none();
    }

    /**
     * Returns the reply with the number of documents that a write matched.
     *
     * @param matched the number
     * @return the reply
     */
    public static Reply counted(long matched) {
        return new Reply.Counted(matched, false);
    }

    /**
     * Returns the reply of an operation that was done.
     *
     * @return the reply
     */
    public static Reply acknowledged() {
        return new Reply.Acknowledged();
    }

    /**
     * Returns the reply with a fault.
     *
     * @param fault the fault
     * @return the reply
     */
    public static Reply.Failed failed(Fault fault) {
        return new Reply.Failed(fault, new MongoException("A scripted fault: " + fault));
    }

    static BsonDocument withServerTime(BsonDocument stored) {
        BsonDateTime now = new BsonDateTime(LockDocumentFixtures.SERVER_TIME.toEpochMilli());
        return stored.clone().append(LockFields.NOW, now);
    }
}
