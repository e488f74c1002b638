package org.mongolocks.internal.schema;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockStorageException;
import org.mongolocks.SchemaMode;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.ServerDescription;
import org.mongolocks.internal.run.ServerDescription.Kind;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/**
 * The start-up checks of a client: the server has what the strategy needs, and its collections can hold locks; then
 * missing collections and indexes are created, refused or ignored, depending on the {@link SchemaMode}. Round trips:
 * {@code hello}, an {@code update} that matches nothing if the strategy needs update pipelines, those of the
 * {@link SchemaInspection}, and one for each collection that is created with its index.
 */
public final class ClientStartup {
    private static final int NAMESPACE_EXISTS = 48;
    private static final String REMEDY = "Choose a strategy with the trait " + Trait.CLOCK_FREE + " or another server.";
    private static final UpdateSpec UNCHANGED = UpdateSpec.pipeline(
            new BsonDocument("$set", new BsonDocument(LockFields.FORMAT, new BsonString("$" + LockFields.FORMAT))));

    private final ClientSettings settings;
    private final LockStrategy strategy;
    private final List<String> warnings = new ArrayList<>();

    public ClientStartup(ClientSettings settings) {
        this.settings = settings;
        this.strategy = settings.strategy();
    }

    /** Returns a program that ends with warnings, one sentence each, or throws {@link LockStorageException}. */
    public Step<List<String>> start() {
        return hello("hello");
    }

    /** Servers before 4.4.2 know the command only by its old name. */
    private Step<List<String>> hello(String command) {
        return Step.call(new MongoOp.Hello(label("hello"), command), reply -> {
            if (reply instanceof Reply.Found found) {
                ServerDescription server = ServerDescription.of(found.document().orElseGet(BsonDocument::new));
                requireSupported(server);
                return checkPipelines(server.isRouter());
            }
            boolean unknown = reply instanceof Reply.Failed failed && failed.fault() == Fault.UNSUPPORTED;
            return unknown && command.equals("hello") ? hello("isMaster") : Step.fail(reply);
        });
    }

    private void requireSupported(ServerDescription server) {
        if (server.kind() == Kind.STANDALONE && strategy.traits().contains(Trait.NEEDS_TRANSACTIONS)) {
            throw unsupported(
                    "transactions, and so a replica set or a sharded cluster, but this server is a standalone",
                    "Start it as a replica set (a single node is enough: mongod --replSet rs0, then rs.initiate()) or"
                            + " choose another strategy.",
                    null);
        }
        if (server.isOld() && strategy.traits().contains(Trait.SERVER_CLOCK)) {
            throw unsupported(
                    "MongoDB 4.4 or newer (wire version " + MongoOp.Hello.WIRE_VERSION_4_4
                            + "), but this server has wire version " + server.wireVersion(),
                    REMEDY,
                    null);
        }
    }

    /**
     * Sends an update pipeline: some servers claim to be MongoDB 4.4 and have none, which otherwise the first lock would
     * show. It matches no document, because no lock has an empty name, and would change none. An error that does not
     * refuse the pipeline, such as a missing right of a user that only reads, is left to the first lock.
     */
    private Step<List<String>> checkPipelines(boolean isRouter) {
        if (!strategy.traits().contains(Trait.SERVER_CLOCK)) {
            return inspect(isRouter);
        }
        MongoOp update = new MongoOp.UpdateOne(
                label("check-pipelines"), LOCKS, new BsonDocument(LockFields.ID, new BsonString("")), UNCHANGED, false);
        return Step.call(update, reply -> {
            if (reply instanceof Reply.Failed failed
                    && (failed.isNotParsed()
                            || SchemaInspection.NOT_SUPPORTED.contains(
                                    failed.cause().getCode()))) {
                throw unsupported(
                        "update pipelines, as MongoDB 4.4 and newer have them, but this server refused one (code "
                                + failed.cause().getCode() + ")",
                        REMEDY,
                        failed.cause());
            }
            return inspect(isRouter);
        });
    }

    private Step<List<String>> inspect(boolean isRouter) {
        LockSchema schema = strategy.schema();
        return new SchemaInspection(
                        strategy.name(),
                        schema.collections(),
                        collection -> schema.resolve(collection, settings.collection()))
                .start(isRouter)
                .andThen(this::conclude);
    }

    private Step<List<String>> conclude(SchemaInspection.Seen seen) {
        boolean mustBeThere = settings.schema() == SchemaMode.VALIDATE;
        List<String> problems = seen.collections().stream()
                .flatMap(collection -> Stream.concat(
                        collection.faults().stream(), mustBeThere ? collection.gaps().stream() : Stream.of()))
                .map(ExistingCollection.Problem::found)
                .toList();
        if (!problems.isEmpty()) {
            throw task().refused(
                            problems,
                            "./doctor prints the commands that create or repair it; or choose another collection.",
                            null);
        }
        seen.warning().ifPresent(warnings::add);
        return settings.schema() == SchemaMode.CREATE
                ? createEach(seen.collections().stream()
                        .filter(ExistingCollection::isToBeCreated)
                        .iterator())
                : Step.done(List.copyOf(warnings));
    }

    /** No index is needed for correctness, so a failure is a warning. */
    private Step<List<String>> createEach(Iterator<ExistingCollection> missing) {
        if (!missing.hasNext()) {
            return Step.done(List.copyOf(warnings));
        }
        MongoOp create =
                new MongoOp.CreateCollection(label("create"), missing.next().wanted());
        return Step.call(create, reply -> {
            if (reply instanceof Reply.Failed failed && failed.cause().getCode() != NAMESPACE_EXISTS) {
                warnings.add(create + " failed, which is not needed for correct locks: "
                        + failed.cause().getMessage());
            }
            return createEach(missing);
        });
    }

    private LockStorageException unsupported(String need, String remedy, @Nullable Throwable cause) {
        return task().refused(List.of("strategy '" + strategy.name() + "' needs " + need), remedy, cause);
    }

    private LockTask task() {
        return LockTask.of("Preparing a client", settings);
    }

    private String label(String what) {
        return strategy.name() + "/" + what;
    }
}
