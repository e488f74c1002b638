package org.mongolocks.internal.schema;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.mongolocks.UnsupportedServerException;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.ForeignFormatException;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/**
 * The start-up checks of a client: the server has what the strategy needs, the collection is the strategy's own, and
 * its collections can hold locks; then collections and indexes are created or checked. Round trips: {@code hello}, a
 * {@code find}, an {@code update} that matches nothing if the strategy needs update pipelines, {@code listCollections},
 * {@code listIndexes} for each collection that exists, through a router a {@code find} in {@code config.collections},
 * and one for each collection and index that is created.
 */
public final class ClientStartup {
    private static final String REMEDY = "Choose a strategy with the trait " + Trait.CLOCK_FREE + " or another server.";
    private static final UpdateSpec UNCHANGED = UpdateSpec.pipeline(
            new BsonDocument("$set", new BsonDocument(LockFields.FORMAT, new BsonString("$" + LockFields.FORMAT))));

    private final ClientSettings settings;
    private final LockStrategy strategy;

    public ClientStartup(ClientSettings settings) {
        this.settings = settings;
        this.strategy = settings.strategy();
    }

    /** Returns a program that ends with warnings, one sentence each. */
    public Step<List<String>> start() {
        return hello("hello");
    }

    /** Servers before 4.4.2 know the command only by its old name. */
    private Step<List<String>> hello(String command) {
        return Step.call(new MongoOp.Hello(label("hello"), command), reply -> {
            if (reply instanceof Reply.Found found) {
                BsonDocument hello = found.document().orElseGet(BsonDocument::new);
                requireSupported(hello);
                boolean isRouter = hello.containsKey("msg");
                return strategy.format()
                        .map(format -> checkFormat(format, isRouter))
                        .orElseGet(() -> checkPipelines(isRouter));
            }
            boolean unknown = reply instanceof Reply.Failed failed && failed.fault() == Fault.UNSUPPORTED;
            return unknown && command.equals("hello") ? hello("isMaster") : Step.fail(reply);
        });
    }

    /** Reads any one document: two strategies that share a collection are detected before they meet in one lock. */
    private Step<List<String>> checkFormat(String format, boolean isRouter) {
        BsonDocument formatOnly = new BsonDocument(LockFields.FORMAT, new BsonInt32(1));
        MongoOp findAny = new MongoOp.FindOne(label("find-any"), LOCKS, new BsonDocument(), Optional.of(formatOnly));
        return Step.call(findAny, reply -> {
            if (reply instanceof Reply.Found found) {
                return found.document()
                        .flatMap(stored -> ForeignFormatException.in(stored, format))
                        .map(Step::<List<String>>fail)
                        .orElseGet(() -> checkPipelines(isRouter));
            }
            return Step.fail(reply);
        });
    }

    /**
     * Sends an update pipeline: some servers claim to be MongoDB 4.4 and have none, which otherwise the first lock would
     * show. It matches no document, because no lock has an empty name, and would change none. An error that does not
     * refuse the pipeline, such as a missing right of a user that only reads, is left to the first lock.
     */
    private Step<List<String>> checkPipelines(boolean isRouter) {
        SchemaValidation next = new SchemaValidation(settings);
        if (!strategy.traits().contains(Trait.SERVER_CLOCK)) {
            return next.start(isRouter);
        }
        MongoOp update = new MongoOp.UpdateOne(
                label("check-pipelines"), LOCKS, new BsonDocument(LockFields.ID, new BsonString("")), UNCHANGED, false);
        return Step.call(update, reply -> {
            if (reply instanceof Reply.Failed failed && isRefused(failed)) {
                throw new UnsupportedServerException(
                        "Strategy '" + strategy.name() + "' needs update pipelines, as MongoDB 4.4 and newer have them,"
                                + " but this server refused one (code "
                                + failed.cause().getCode() + "). " + REMEDY,
                        failed.cause());
            }
            return next.start(isRouter);
        });
    }

    private static boolean isRefused(Reply.Failed reply) {
        return reply.isNotParsed()
                || SchemaInspection.NOT_SUPPORTED.contains(reply.cause().getCode());
    }

    private void requireSupported(BsonDocument hello) {
        boolean standalone = !hello.containsKey("setName") && !hello.containsKey("msg");
        if (standalone && strategy.traits().contains(Trait.NEEDS_TRANSACTIONS)) {
            throw new UnsupportedServerException(
                    "Strategy '" + strategy.name() + "' needs transactions, and so a replica set or a sharded cluster,"
                            + " but this server is a standalone. Start it as a replica set (a single node is enough:"
                            + " mongod --replSet rs0, then rs.initiate()) or choose another strategy.",
                    null);
        }
        int wireVersion = hello.getInt32("maxWireVersion", new BsonInt32(0)).getValue();
        if (wireVersion < MongoOp.Hello.WIRE_VERSION_4_4 && strategy.traits().contains(Trait.SERVER_CLOCK)) {
            throw new UnsupportedServerException(
                    "Strategy '" + strategy.name() + "' needs MongoDB 4.4 or newer (wire version "
                            + MongoOp.Hello.WIRE_VERSION_4_4 + "), but this server has wire version " + wireVersion
                            + ". " + REMEDY,
                    null);
        }
    }

    private String label(String what) {
        return strategy.name() + "/" + what;
    }
}
