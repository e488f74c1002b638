package org.mongolocks.protocol;

import static org.mongolocks.protocol.Replies.acknowledged;
import static org.mongolocks.protocol.Replies.counted;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.none;
import static org.mongolocks.spi.LockSchema.LOCKS;
import static org.mongolocks.spi.LockSchema.LockFields.FORMAT;

import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.mongolocks.internal.run.OperationVisitor;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;

/**
 * All replies that an operation may get: any stored document, and every fault. Some cannot follow the earlier replies,
 * which only makes the laws stricter.
 */
final class PossibleReplies implements OperationVisitor<Stream<Reply>> {
    private final LockDocumentFixtures stored;
    private final UnaryOperator<BsonDocument> elsewhere;

    /**
     * @param elsewhere the document in collections without locks, from the filter of the operation
     */
    PossibleReplies(LockDocumentFixtures stored, UnaryOperator<BsonDocument> elsewhere) {
        this.stored = stored;
        this.elsewhere = elsewhere;
    }

    List<Reply> to(MongoOp op) {
        Stream<Reply> faults = isAbort(op) ? Stream.of() : faultsOfAServer().map(Replies::failed);
        return Stream.concat(visit(op), faults).toList();
    }

    @Override
    public Stream<Reply> insertOne(MongoOp.InsertOne op) {
        return Stream.of(acknowledged());
    }

    @Override
    public Stream<Reply> findOne(MongoOp.FindOne op) {
        Stream<BsonDocument> some =
                Stream.concat(documents(op.collection(), op.filter()), foreignDocuments(op.collection()));
        return Stream.concat(some.map(Replies::foundWithTime), Stream.of(none()));
    }

    /** None, each alone, and all. */
    @Override
    public Stream<Reply> findMany(MongoOp.FindMany op) {
        List<BsonDocument> all = Stream.concat(
                        documents(op.collection(), op.filter()), foreignDocuments(op.collection()))
                .map(Replies::withServerTime)
                .toList();
        Stream<List<BsonDocument>> some = all.stream().map(List::of);
        return Stream.concat(Stream.of(List.<BsonDocument>of(), all), some).map(Reply.FoundMany::new);
    }

    @Override
    public Stream<Reply> updateOne(MongoOp.UpdateOne op) {
        return Stream.of(counted(1), counted(0));
    }

    @Override
    public Stream<Reply> updateEach(MongoOp.BulkUpdate op) {
        int all = op.updates().size();
        return Stream.of(counted(all), counted(all - 1L), counted(0));
    }

    /**
     * The computed fields of a projection are missing in the reply to a retried command. A filter without a format also
     * finds documents of other formats.
     */
    @Override
    public Stream<Reply> findOneAndUpdate(MongoOp.FindOneAndUpdate op) {
        Stream<BsonDocument> foreign =
                op.filter().containsKey(FORMAT) ? Stream.of() : foreignDocuments(op.collection());
        Stream<Reply> some = Stream.concat(documents(op.collection(), op.filter()), foreign)
                .flatMap(document -> op.projection().isPresent()
                        ? Stream.of(Replies.foundWithTime(document), found(document))
                        : Stream.of(found(document)));
        return op.upsert() ? some : Stream.concat(some, Stream.of(none()));
    }

    @Override
    public Stream<Reply> deleteOne(MongoOp.DeleteOne op) {
        return Stream.of(counted(1), counted(0));
    }

    @Override
    public Stream<Reply> transaction(MongoOp.Transaction op) {
        return Stream.of(acknowledged());
    }

    @Override
    public Stream<Reply> hello(MongoOp.Hello op) {
        return Stream.of(found(new BsonDocument()));
    }

    @Override
    public Stream<Reply> readSchema(MongoOp.ReadSchema op) {
        return Stream.of(new Reply.FoundMany(List.of()));
    }

    @Override
    public Stream<Reply> createCollection(MongoOp.CreateCollection op) {
        return Stream.of(acknowledged());
    }

    private Stream<BsonDocument> documents(String collection, BsonDocument filter) {
        return collection.equals(LOCKS)
                ? Stream.of(
                        stored.heldBy(ProtocolFixture.ME),
                        stored.heldBy(ProtocolFixture.OTHER),
                        stored.expiredOf(ProtocolFixture.OTHER),
                        stored.released(),
                        stored.awaited(),
                        stored.forceReleased())
                : Stream.of(elsewhere.apply(filter));
    }

    private Stream<BsonDocument> foreignDocuments(String collection) {
        return collection.equals(LOCKS) ? Stream.of(stored.foreign(), stored.unmarked()) : Stream.of();
    }

    private static Stream<Fault> faultsOfAServer() {
        return Arrays.stream(Fault.values()).filter(fault -> fault != Fault.FOREIGN_FORMAT);
    }

    /** The failure of an abort is never reported. */
    private static boolean isAbort(MongoOp op) {
        return op instanceof MongoOp.Transaction transaction && transaction.boundary() == Boundary.ABORT;
    }
}
