package org.mongolocks.internal;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.bson.BsonDocument;
import org.mongolocks.ClientSettings;
import org.mongolocks.LockSchemaException;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.SchemaOp;
import org.mongolocks.spi.Step;

/** Checks, without creating anything, that the collections and indexes of a strategy are there. One look for each. */
final class SchemaCheck {
    private static final int UNAUTHORIZED = 13;

    private final ClientSettings settings;
    private final List<String> warnings = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> commands = new ArrayList<>();

    SchemaCheck(ClientSettings settings) {
        this.settings = settings;
    }

    /** Gives a program that ends with warnings, or throws if something is missing. */
    Step<List<String>> start() {
        return checkAll(settings.strategy().schema().collections().iterator());
    }

    private Step<List<String>> checkAll(Iterator<LockCollection> collections) {
        if (!collections.hasNext()) {
            return conclude();
        }
        LockCollection collection = collections.next();
        String label = settings.strategy().name() + "/list-indexes";
        return Step.call(new SchemaOp.ListIndexes(label, collection.name()), reply -> {
            if (reply instanceof Reply.FoundMany found) {
                check(collection, found.documents());
                return checkAll(collections);
            }
            if (reply instanceof Reply.Failed failed && failed.cause().getCode() == UNAUTHORIZED) {
                warnings.add("Collection '" + name(collection) + "' could not be checked: "
                        + failed.cause().getMessage());
                return checkAll(collections);
            }
            return Step.fail(reply);
        });
    }

    private Step<List<String>> conclude() {
        if (!problems.isEmpty()) {
            throw new LockSchemaException(Failures.task("Preparing a client", settings), problems, commands);
        }
        return Step.done(List.copyOf(warnings));
    }

    /** A collection has an index at least, that of its {@code _id}. */
    private void check(LockCollection collection, List<BsonDocument> indexes) {
        if (indexes.isEmpty()) {
            problems.add("collection '" + name(collection) + "' is missing");
            commands.add("db.createCollection(" + quoted(name(collection)) + ")");
        }
        collection.ttlField().map(TtlIndex::new).ifPresent(index -> check(name(collection), index, indexes));
    }

    private void check(String collection, TtlIndex index, List<BsonDocument> indexes) {
        String shell = "db.getCollection(" + quoted(collection) + ")";
        index.problemAmong(indexes).ifPresent(problem -> {
            problems.add("the TTL index of collection '" + collection + "' on '" + index.field() + "' " + problem);
            index.nameToDrop(indexes).ifPresent(name -> commands.add(shell + ".dropIndex(" + quoted(name) + ")"));
            commands.add(shell + ".createIndex({" + quoted(index.field()) + ": 1}, {expireAfterSeconds: 0})");
        });
    }

    private String name(LockCollection wanted) {
        String base = settings.collection();
        return settings.strategy().schema().resolve(wanted.name(), base);
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
