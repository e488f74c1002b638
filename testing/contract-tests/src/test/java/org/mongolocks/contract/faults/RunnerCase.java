package org.mongolocks.contract.faults;

import static org.mongolocks.spi.LockSchema.LOCKS;
import static org.mongolocks.spi.MongoOp.Transaction.Boundary.ABORT;
import static org.mongolocks.spi.MongoOp.Transaction.Boundary.COMMIT;
import static org.mongolocks.spi.MongoOp.Transaction.Boundary.START;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.LockSchema.TtlIndex;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.BulkUpdate.Update;
import org.mongolocks.spi.MongoOp.ReadSchema.Part;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.MongoOp.UpdateSpec;

/**
 * A sequence of operations, of which the last is checked.
 *
 * @param name a name for the test report
 * @param command the server's name of the last operation; empty if no fault can be injected into it
 * @param operations the operations to send
 */
record RunnerCase(String name, String command, List<MongoOp> operations) {
    private static final BsonDocument X = BsonDocument.parse("{_id: 'x', n: 1}");
    private static final BsonDocument NOBODY = BsonDocument.parse("{_id: 'nobody'}");
    private static final UpdateSpec SET = UpdateSpec.operators(BsonDocument.parse("{$set: {n: 2}}"));
    private static final UpdateSpec COMPUTE = UpdateSpec.pipeline(BsonDocument.parse("{$set: {n: {$add: ['$n', 1]}}}"));
    private static final MongoOp INSERT = new MongoOp.InsertOne("probe", LOCKS, X);

    boolean isInTransaction() {
        return operations.contains(boundary(START));
    }

    boolean isPlainWrite() {
        return !isInTransaction()
                && List.of("insert", "update", "findAndModify", "delete").contains(command);
    }

    boolean isRead() {
        return List.of("find", "listIndexes", "listCollections").contains(command);
    }

    boolean isStatementOfTransaction() {
        return isInTransaction() && !command.equals("commitTransaction");
    }

    static Stream<RunnerCase> plain() {
        return Stream.of(
                new RunnerCase("insert", "insert", List.of(INSERT)),
                new RunnerCase("insert a duplicate", "", List.of(INSERT, INSERT)),
                new RunnerCase("find nothing", "find", List.of(find(NOBODY))),
                new RunnerCase("find", "", List.of(INSERT, find(X))),
                new RunnerCase("project", "", List.of(INSERT, project())),
                new RunnerCase("find several", "find", List.of(INSERT, findMany(1), findMany(2))),
                new RunnerCase("find none of several", "", List.of(findMany(1))),
                new RunnerCase("update nothing", "update", List.of(update(NOBODY, SET, false))),
                new RunnerCase("update", "", List.of(INSERT, update(X, SET, false))),
                new RunnerCase("update by a pipeline", "", List.of(INSERT, update(X, COMPUTE, false))),
                new RunnerCase("upsert", "", List.of(update(NOBODY, SET, true))),
                new RunnerCase("upsert a duplicate", "", List.of(INSERT, update(otherX(), SET, true))),
                new RunnerCase("update each of none", "update", List.of(updateEach(NOBODY, SET))),
                new RunnerCase("update each", "", List.of(INSERT, updateEach(X, SET))),
                new RunnerCase("update each by a pipeline", "", List.of(INSERT, updateEach(X, COMPUTE))),
                new RunnerCase("change nothing", "findAndModify", List.of(change(NOBODY, SET, false))),
                new RunnerCase("change", "", List.of(INSERT, change(X, SET, false))),
                new RunnerCase("change by a pipeline", "", List.of(INSERT, change(X, COMPUTE, false))),
                new RunnerCase("change and compute", "", List.of(INSERT, changeAndCompute())),
                new RunnerCase("change or create", "", List.of(change(NOBODY, SET, true))),
                new RunnerCase("create a duplicate", "", List.of(INSERT, change(otherX(), SET, true))),
                new RunnerCase("delete nothing", "delete", List.of(delete(NOBODY))),
                new RunnerCase("delete", "", List.of(INSERT, delete(X))),
                new RunnerCase("ask what it is", "", List.of(new MongoOp.Hello("probe", "hello"))),
                new RunnerCase("ask an unknown question", "", List.of(new MongoOp.Hello("probe", "nosuchcommand"))),
                new RunnerCase("create", "create", List.of(create(Optional.empty()))),
                new RunnerCase("create again", "", List.of(INSERT, create(Optional.empty()))),
                new RunnerCase("index", "createIndexes", List.of(INSERT, index())),
                new RunnerCase("index again", "", List.of(index(), index())),
                new RunnerCase("list indexes", "listIndexes", List.of(index(), read(Part.INDEXES))),
                new RunnerCase("list indexes of nothing", "", List.of(read(Part.INDEXES))),
                new RunnerCase("list no collections", "listCollections", List.of(read(Part.OPTIONS))),
                new RunnerCase("find no shard keys", "", List.of(read(Part.SHARD_KEY))));
    }

    static Stream<RunnerCase> transactional() {
        return Stream.of(
                transaction("start and commit nothing", "", boundary(COMMIT)),
                transaction("start and abort nothing", "", boundary(ABORT)),
                transaction("change in a transaction", "findAndModify", change(NOBODY, SET, false)),
                transaction("find in a transaction", "find", find(X)),
                transaction("commit", "commitTransaction", change(X, SET, true), boundary(COMMIT)),
                transaction("commit twice", "", change(X, SET, true), boundary(COMMIT), boundary(COMMIT)),
                transaction("abort", "", change(X, SET, true), boundary(ABORT)),
                transaction("abort after the commit", "", change(X, SET, true), boundary(COMMIT), boundary(ABORT)));
    }

    @Override
    public String toString() {
        return name;
    }

    private static RunnerCase transaction(String name, String command, MongoOp... operations) {
        Stream<MongoOp> all = Stream.concat(Stream.of(boundary(START)), Stream.of(operations));
        return new RunnerCase(name, command, all.toList());
    }

    private static BsonDocument otherX() {
        return BsonDocument.parse("{_id: 'x', n: 7}");
    }

    private static MongoOp find(BsonDocument filter) {
        return new MongoOp.FindOne("probe", LOCKS, filter, Optional.empty());
    }

    private static MongoOp project() {
        return new MongoOp.FindOne("probe", LOCKS, X, Optional.of(BsonDocument.parse("{_id: 0, n: 1}")));
    }

    private static MongoOp update(BsonDocument filter, UpdateSpec change, boolean upsert) {
        return new MongoOp.UpdateOne("probe", LOCKS, filter, change, upsert);
    }

    /** Updates one document that may match and one that does not. */
    private static MongoOp updateEach(BsonDocument filter, UpdateSpec change) {
        return new MongoOp.BulkUpdate("probe", LOCKS, List.of(new Update(filter, change), new Update(NOBODY, change)));
    }

    private static MongoOp change(BsonDocument filter, UpdateSpec change, boolean upsert) {
        return new MongoOp.FindOneAndUpdate("probe", LOCKS, filter, change, upsert);
    }

    private static MongoOp changeAndCompute() {
        BsonDocument twice = BsonDocument.parse("{_id: 0, twice: {$add: ['$n', '$n']}}");
        return new MongoOp.FindOneAndUpdate("probe", LOCKS, X, COMPUTE, false, Optional.of(twice));
    }

    private static MongoOp delete(BsonDocument filter) {
        return new MongoOp.DeleteOne("probe", LOCKS, filter);
    }

    private static MongoOp index() {
        return create(Optional.of(new TtlIndex("purgeAt", Duration.ofHours(1))));
    }

    private static MongoOp create(Optional<TtlIndex> index) {
        return new MongoOp.CreateCollection("probe", new LockCollection(LOCKS, index));
    }

    private static MongoOp read(Part part) {
        return new MongoOp.ReadSchema("probe", LOCKS, part);
    }

    private static MongoOp findMany(int limit) {
        return new MongoOp.FindMany("probe", LOCKS, new BsonDocument(), Optional.empty(), limit);
    }

    private static MongoOp boundary(Boundary boundary) {
        return new MongoOp.Transaction("probe", boundary);
    }
}
