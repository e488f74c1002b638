package org.mongolocks.internal;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.mongolocks.SchemaMode;
import org.mongolocks.UnsupportedServerException;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.ForeignFormatException;
import org.mongolocks.spi.LockFields;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.Trait;

/**
 * Prepares a client: checks that the server has what the strategy needs, then creates collections and indexes that are
 * missing. No index is needed for correctness, so one that cannot be created is a warning.
 */
public final class Preparation {
    /** MongoDB 4.4: the first that computes fields in projections. */
    private static final int WIRE_VERSION_4_4 = 9;

    private static final int NAMESPACE_EXISTS = 48;

    private final LockStrategy strategy;
    private final List<String> warnings = new ArrayList<>();

    /**
     * Begins to prepare.
     *
     * @param strategy the strategy of the client
     */
    public Preparation(LockStrategy strategy) {
        this.strategy = strategy;
    }

    /**
     * Gives the program.
     *
     * @param schema what to do about collections and indexes
     * @return a program that ends with warnings, one sentence each
     */
    public Step<List<String>> start(SchemaMode schema) {
        return hello("hello", schema);
    }

    /** Servers before 4.4.2 know the question only by its old name. */
    private Step<List<String>> hello(String command, SchemaMode schema) {
        return Step.call(new MongoOp.Hello(label("hello"), command), reply -> {
            if (reply instanceof Reply.Found found) {
                check(found.document().orElseGet(BsonDocument::new));
                return strategy.format()
                        .map(format -> lookAtAny(format, schema))
                        .orElseGet(() -> createAll(operations(schema).iterator()));
            }
            boolean unknown = reply instanceof Reply.Failed failed && failed.fault() == Fault.UNSUPPORTED;
            return unknown && command.equals("hello") ? hello("isMaster", schema) : Step.fail(reply);
        });
    }

    /** Whichever document the server finds first: two strategies in one collection are noticed before they meet. */
    private Step<List<String>> lookAtAny(String format, SchemaMode schema) {
        BsonDocument markOnly = new BsonDocument(LockFields.FORMAT, new BsonInt32(1));
        MongoOp look = new MongoOp.FindOne(label("look-at-any"), LOCKS, new BsonDocument(), Optional.of(markOnly));
        return Step.call(look, reply -> {
            if (reply instanceof Reply.Found found) {
                return found.document()
                        .flatMap(stored -> ForeignFormatException.in(stored, format))
                        .map(Step::<List<String>>fail)
                        .orElseGet(() -> createAll(operations(schema).iterator()));
            }
            return Step.fail(reply);
        });
    }

    private void check(BsonDocument hello) {
        boolean standalone = !hello.containsKey("setName") && !hello.containsKey("msg");
        if (standalone && strategy.traits().contains(Trait.NEEDS_TRANSACTIONS)) {
            throw new UnsupportedServerException(
                    "Strategy '" + strategy.name() + "' needs transactions, and so a replica set or a sharded cluster,"
                            + " but this server is a standalone. Start it as a replica set (a single node is enough:"
                            + " mongod --replSet rs0, then rs.initiate()) or choose another strategy.",
                    null);
        }
        int wireVersion = hello.getInt32("maxWireVersion", new BsonInt32(0)).getValue();
        if (wireVersion < WIRE_VERSION_4_4 && strategy.traits().contains(Trait.SERVER_CLOCK)) {
            throw new UnsupportedServerException(
                    "Strategy '" + strategy.name() + "' needs MongoDB 4.4 or newer (wire version " + WIRE_VERSION_4_4
                            + "), but this server has wire version " + wireVersion
                            + ". Choose a strategy with the trait " + Trait.CLOCK_FREE + " or a newer server.",
                    null);
        }
    }

    private List<MongoOp> operations(SchemaMode schema) {
        if (schema == SchemaMode.NONE) {
            return List.of();
        }
        List<MongoOp> operations = new ArrayList<>();
        for (LockCollection collection : strategy.schema().collections()) {
            operations.add(new MongoOp.CreateCollection(label("create"), collection.name()));
            collection
                    .ttlField()
                    .ifPresent(field -> operations.add(
                            new MongoOp.CreateTtlIndex(label("create-index"), collection.name(), field)));
        }
        return operations;
    }

    private Step<List<String>> createAll(Iterator<MongoOp> operations) {
        if (!operations.hasNext()) {
            return Step.done(List.copyOf(warnings));
        }
        MongoOp operation = operations.next();
        return Step.call(operation, reply -> {
            warningFor(operation, reply).ifPresent(warnings::add);
            return createAll(operations);
        });
    }

    private static Optional<String> warningFor(MongoOp operation, Reply reply) {
        if (reply instanceof Reply.Failed failed && failed.cause().getCode() != NAMESPACE_EXISTS) {
            return Optional.of(operation + " failed, which is not needed for correct locks: "
                    + failed.cause().getMessage());
        }
        return Optional.empty();
    }

    private String label(String what) {
        return strategy.name() + "/" + what;
    }
}
