package org.mongolocks.protocol;

import static org.mongolocks.spi.LockFields.FORMAT;
import static org.mongolocks.spi.LockSchema.LOCKS;
import static org.mongolocks.spi.MongoOp.Transaction.Boundary.ABORT;

import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Renewal;
import org.mongolocks.spi.Reply;

/** The laws for documents with another format mark: a strategy refuses them and does not change them. */
record FormatLaws(String format) {

    /** Only a document that was read as foreign is refused, and every one is. */
    boolean isForeignRefused(ProgramTrace trace) {
        int seen = firstForeign(trace.exchanges());
        boolean refused = trace.failure()
                .filter(failure -> failure.failedWith(Fault.FOREIGN_FORMAT))
                .isPresent();
        if (seen < 0) {
            return !refused;
        }
        boolean askedNoMore = trace.after(seen).stream().allMatch(exchange -> exchange.is(ABORT));
        return askedNoMore && (refused || trace.result(Renewal.Lost.class).isPresent());
    }

    boolean isOnOwnDocuments(MongoOp op) {
        return OperationParts.of(op).allMatch(this::isOneOnOwnDocuments);
    }

    private boolean isOneOnOwnDocuments(MongoOp op) {
        return op instanceof MongoOp.FindOne
                || op instanceof MongoOp.FindMany
                || !collection(op).equals(Optional.of(LOCKS))
                || marked(op).map(this::isOwn).orElse(false);
    }

    private static Optional<String> collection(MongoOp op) {
        BsonValue first = CommandRenderer.of(op).values().iterator().next();
        return first.isString() ? Optional.of(first.asString().getValue()) : Optional.empty();
    }

    private static Optional<BsonDocument> marked(MongoOp op) {
        BsonDocument command = CommandRenderer.of(op);
        return Optional.ofNullable(command.get("query", command.get("document")))
                .filter(BsonValue::isDocument)
                .map(BsonValue::asDocument);
    }

    private int firstForeign(List<RequestReply> exchanges) {
        for (int i = 0; i < exchanges.size(); i++) {
            if (isForeign(exchanges.get(i))) {
                return i;
            }
        }
        return -1;
    }

    private boolean isForeign(RequestReply exchange) {
        return collection(exchange.op()).equals(Optional.of(LOCKS))
                && exchange.reply() instanceof Reply.Found found
                && found.document().filter(stored -> !isOwn(stored)).isPresent();
    }

    private boolean isOwn(BsonDocument document) {
        return new BsonString(format).equals(document.get(FORMAT));
    }
}
