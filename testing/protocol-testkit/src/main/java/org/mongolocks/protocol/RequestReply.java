package org.mongolocks.protocol;

import java.util.Optional;
import org.bson.BsonDocument;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.lease.LeaseReader;

/** One operation and its reply. */
record RequestReply(MongoOp op, Reply reply) {

    boolean failed() {
        return reply instanceof Reply.Failed;
    }

    boolean is(Boundary boundary) {
        return op instanceof MongoOp.Transaction transaction && transaction.boundary() == boundary;
    }

    boolean isUnknownCommit() {
        return is(Boundary.COMMIT) && reply.failedWith(Fault.UNKNOWN_COMMIT);
    }

    /** Returns whether a write has returned a document with the caller as its owner. */
    boolean grants() {
        Optional<String> owner = document().flatMap(LeaseReader::owner);
        return op instanceof MongoOp.FindOneAndUpdate && owner.equals(Optional.of(ProtocolFixture.ME.stored()));
    }

    boolean matched() {
        return document().isPresent() || (reply instanceof Reply.Counted counted && counted.matched() >= updateCount());
    }

    boolean matchedNothing() {
        return reply.equals(Reply.Found.none()) || (reply instanceof Reply.Counted counted && counted.matched() == 0);
    }

    boolean showsWaiters() {
        return document()
                .filter(stored -> stored.containsKey(LockFields.WAITING))
                .isPresent();
    }

    long token() {
        return document()
                .map(stored -> LeaseReader.number(stored, LockFields.FENCE))
                .orElse(0L);
    }

    /** Returns the operation by its label, and the kind of the reply. */
    String inBrief() {
        return op.label() + " was answered by "
                + (reply instanceof Reply.Failed failure
                        ? failure.fault().name()
                        : reply instanceof Reply.Found ? document().isPresent() ? "a document" : "no document" : reply);
    }

    @Override
    public String toString() {
        return op.label() + "  " + Law.shortened(CommandRenderer.inOneLine(CommandRenderer.of(op))) + "\n    <- "
                + replyText();
    }

    private Optional<BsonDocument> document() {
        return reply instanceof Reply.Found found ? found.document() : Optional.empty();
    }

    private int updateCount() {
        return op instanceof MongoOp.BulkUpdate bulk ? bulk.updates().size() : 1;
    }

    private String replyText() {
        if (reply instanceof Reply.Failed failure) {
            return failure.fault().name();
        }
        return document().map(CommandRenderer::inOneLine).orElse(reply.toString());
    }
}
