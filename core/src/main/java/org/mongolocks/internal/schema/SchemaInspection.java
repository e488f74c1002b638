package org.mongolocks.internal.schema;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.MongoOp.ReadSchema;
import org.mongolocks.spi.MongoOp.ReadSchema.Part;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/**
 * A read of all collections of a strategy: their options, indexes and, on a sharded cluster, shard keys. Creates
 * nothing. It takes one round trip for each collection, one more if it exists, and one more through a router.
 */
public final class SchemaInspection {
    private static final Map<Part, String> COMMANDS = Map.of(
            Part.OPTIONS, "listCollections", Part.INDEXES, "listIndexes", Part.SHARD_KEY, "find in config.collections");
    private static final Set<Integer> NOT_ALLOWED = Set.of(13, 8000);
    /** CommandNotSupported, NotImplemented, and the code of Amazon DocumentDB for unsupported commands. */
    static final Set<Integer> NOT_SUPPORTED = Set.of(115, 238, 303);

    private static final int IS_A_VIEW = 166;
    private static final Optional<List<BsonDocument>> VIEW =
            Optional.of(List.of(new BsonDocument("type", new BsonString("view"))));
    private static final Optional<List<BsonDocument>> NO_INDEXES = Optional.of(List.of());

    private final String owner;
    private final List<LockCollection> collections;
    private final UnaryOperator<String> names;
    private final Map<String, String> refusedReads = new LinkedHashMap<>();
    private final List<ExistingCollection> inspected = new ArrayList<>();

    /**
     * The result of the read.
     *
     * @param collections the collections, in the order in which they were named
     * @param warning what could not be read, and why; empty if everything was
     */
    public record Seen(List<ExistingCollection> collections, Optional<String> warning) {}

    /**
     * Creates a read of some collections.
     *
     * @param owner the owner of the collections, for labels: the name of a strategy
     * @param names returns the name in the database
     */
    public SchemaInspection(String owner, List<LockCollection> collections, UnaryOperator<String> names) {
        this.owner = owner;
        this.collections = List.copyOf(collections);
        this.names = names;
    }

    /**
     * Returns the program; only a router knows shard keys. Missing rights and commands that the server does not know
     * or support are reported in {@link Seen#warning}; any other fault ends the program.
     */
    public Step<Seen> start(boolean isRouter) {
        return inspectEach(collections.iterator(), isRouter);
    }

    private Step<Seen> inspectEach(Iterator<LockCollection> remaining, boolean isRouter) {
        if (!remaining.hasNext()) {
            return Step.done(new Seen(List.copyOf(inspected), warning()));
        }
        return inspect(remaining.next(), isRouter).andThen(collection -> {
            inspected.add(collection);
            return inspectEach(remaining, isRouter);
        });
    }

    /** A missing collection has no indexes, and a view can have none. */
    private Step<ExistingCollection> inspect(LockCollection wanted, boolean isRouter) {
        Step<Optional<List<BsonDocument>>> noKey = Step.done(Optional.empty());
        return read(wanted, Part.OPTIONS).andThen(options -> {
            boolean hasIndexes = options.isEmpty()
                    || first(options).filter(SchemaInspection::isPlain).isPresent();
            return (hasIndexes ? read(wanted, Part.INDEXES) : Step.done(NO_INDEXES))
                    .andThen(indexes -> (isRouter ? read(wanted, Part.SHARD_KEY) : noKey)
                            .andThen(sharded -> Step.done(new ExistingCollection(
                                    wanted,
                                    names.apply(wanted.name()),
                                    first(indexes.equals(VIEW) ? VIEW : options),
                                    indexes.equals(VIEW) ? NO_INDEXES : indexes,
                                    first(sharded).map(entry -> entry.getDocument("key", new BsonDocument()))))));
        });
    }

    /** Returns a program that ends with the descriptions, or with nothing if the server refused the read. */
    private Step<Optional<List<BsonDocument>>> read(LockCollection wanted, Part part) {
        return Step.call(new ReadSchema(owner + "/read-schema", wanted.name(), part), reply -> {
            if (reply instanceof Reply.FoundMany found) {
                return Step.done(Optional.of(found.documents()));
            }
            if (reply instanceof Reply.Failed failed
                    && part == Part.INDEXES
                    && failed.cause().getCode() == IS_A_VIEW) {
                return Step.done(VIEW);
            }
            if (reply instanceof Reply.Failed failed && isRefusal(failed)) {
                refusedReads.putIfAbsent(
                        COMMANDS.get(part), String.valueOf(failed.cause().getMessage()));
                return Step.done(Optional.empty());
            }
            return Step.fail(reply);
        });
    }

    private static boolean isRefusal(Reply.Failed failed) {
        return NOT_ALLOWED.contains(failed.cause().getCode())
                || NOT_SUPPORTED.contains(failed.cause().getCode())
                || failed.fault() == Fault.UNSUPPORTED;
    }

    private Optional<String> warning() {
        return refusedReads.values().stream()
                .findFirst()
                .map(reason -> "Could not check that locks of '" + owner
                        + "' are exclusive in "
                        + collections.stream()
                                .map(collection -> "'" + names.apply(collection.name()) + "'")
                                .collect(joining(", "))
                        + ", because the server refused " + String.join(", ", refusedReads.keySet())
                        + ". See the role lockSchemaRead in docs/operations.md. The server's error: " + reason);
    }

    private static Optional<BsonDocument> first(Optional<List<BsonDocument>> found) {
        return found.flatMap(documents -> documents.stream().findFirst());
    }

    private static boolean isPlain(BsonDocument entry) {
        return entry.getString("type", new BsonString("collection")).getValue().equals("collection");
    }
}
