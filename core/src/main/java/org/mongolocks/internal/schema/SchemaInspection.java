package org.mongolocks.internal.schema;

import static java.util.stream.Collectors.joining;

import com.mongodb.MongoException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.SchemaOp;
import org.mongolocks.spi.Step;

/**
 * A read of all collections of a strategy: their options, indexes and, on a sharded cluster, shard keys. Creates
 * nothing. It takes one round trip, one for each collection that exists, and one more through a router.
 */
public final class SchemaInspection {
    private static final Set<Integer> NOT_ALLOWED = Set.of(13, 8000);
    /** CommandNotSupported, NotImplemented, and the code of Amazon DocumentDB for unsupported commands. */
    static final Set<Integer> NOT_SUPPORTED = Set.of(115, 238, 303);

    private static final int IS_A_VIEW = 166;

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
        List<String> all = collections.stream().map(LockCollection::name).toList();
        SchemaOp describe = new SchemaOp.ListCollections(label("list-collections"), all);
        return read(describe, "listCollections", entries -> {
            if (!isRouter) {
                return inspectEach(collections.iterator(), entries, List.of());
            }
            SchemaOp findKeys = new SchemaOp.FindShardKeys(label("find-shard-keys"), all);
            return read(
                    findKeys,
                    "find in config.collections",
                    keys -> inspectEach(collections.iterator(), entries, keys.orElse(List.of())));
        });
    }

    private Step<Seen> inspectEach(
            Iterator<LockCollection> remaining, Optional<List<BsonDocument>> entries, List<BsonDocument> shardKeys) {
        if (!remaining.hasNext()) {
            return Step.done(new Seen(List.copyOf(inspected), warning()));
        }
        LockCollection collection = remaining.next();
        String name = names.apply(collection.name());
        Optional<BsonDocument> entry = entries.flatMap(all -> named(name, all));
        Optional<BsonDocument> shardKey = shardKeys.stream()
                .filter(sharded -> isOf(name, sharded))
                .map(sharded -> sharded.getDocument("key", new BsonDocument()))
                .findFirst();
        boolean hasIndexes = entry.map(SchemaInspection::isPlain).orElse(entries.isEmpty());
        if (!hasIndexes) {
            inspected.add(new ExistingCollection(collection, name, entry, Optional.of(List.of()), shardKey));
            return inspectEach(remaining, entries, shardKeys);
        }
        return Step.call(new SchemaOp.ListIndexes(label("list-indexes"), collection.name()), reply -> {
            if (reply instanceof Reply.Failed failed && failed.cause().getCode() == IS_A_VIEW) {
                BsonDocument view = new BsonDocument("type", new BsonString("view"));
                inspected.add(
                        new ExistingCollection(collection, name, Optional.of(view), Optional.of(List.of()), shardKey));
                return inspectEach(remaining, entries, shardKeys);
            }
            return read(reply, "listIndexes of '" + name + "'", indexes -> {
                inspected.add(new ExistingCollection(collection, name, entry, indexes, shardKey));
                return inspectEach(remaining, entries, shardKeys);
            });
        });
    }

    private Step<Seen> read(SchemaOp op, String what, Function<Optional<List<BsonDocument>>, Step<Seen>> then) {
        return Step.call(op, reply -> read(reply, what, then));
    }

    /** Continues with the result, or with nothing if the server refused the read. */
    private Step<Seen> read(Reply reply, String what, Function<Optional<List<BsonDocument>>, Step<Seen>> then) {
        if (reply instanceof Reply.FoundMany found) {
            return then.apply(Optional.of(found.documents()));
        }
        if (reply instanceof Reply.Failed failed && isRefusal(failed)) {
            refusedReads.put(what, String.valueOf(failed.cause().getMessage()));
            return then.apply(Optional.empty());
        }
        return Step.fail(reply);
    }

    private static boolean isRefusal(Reply.Failed failed) {
        MongoException cause = failed.cause();
        return NOT_ALLOWED.contains(cause.getCode())
                || NOT_SUPPORTED.contains(cause.getCode())
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

    private static Optional<BsonDocument> named(String name, List<BsonDocument> entries) {
        BsonString wanted = new BsonString(name);
        return entries.stream()
                .filter(entry -> wanted.equals(entry.get("name")))
                .findFirst();
    }

    /** The name of a database contains no dot. */
    private static boolean isOf(String name, BsonDocument sharded) {
        String full = sharded.getString("_id").getValue();
        return full.substring(full.indexOf('.') + 1).equals(name);
    }

    private static boolean isPlain(BsonDocument entry) {
        return entry.getString("type", new BsonString("collection")).getValue().equals("collection");
    }

    private String label(String what) {
        return owner + "/" + what;
    }
}
