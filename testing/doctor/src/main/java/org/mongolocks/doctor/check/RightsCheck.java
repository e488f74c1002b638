package org.mongolocks.doctor.check;

import com.mongodb.MongoException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.doctor.check.CheckResult.Status;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;

/** A check of the privileges of the user against the least-privilege roles of docs/operations.md. */
final class RightsCheck extends Check {
    private static final Set<String> TO_LOCK = Set.of("find", "insert", "update", "remove");
    private static final BsonDocument ANYBODY = new BsonDocument();

    RightsCheck() {
        super("rights", Promise.OPERATION);
    }

    @Override
    Stream<CheckResult> look(Deployment deployment) {
        BsonDocument command =
                new BsonDocument("connectionStatus", new BsonInt32(1)).append("showPrivileges", BsonBoolean.TRUE);
        BsonDocument status;
        try {
            status = deployment
                    .database()
                    .runCommand(command, BsonDocument.class)
                    .getDocument("authInfo", ANYBODY);
        } catch (MongoException e) {
            return Stream.of(unseen(deployment, Errors.text(e)));
        }
        if (status.getArray("authenticatedUsers", new BsonArray()).isEmpty()) {
            return Stream.of(new CheckResult(
                    id(),
                    Status.WARNING,
                    "the URI names no user: without access control any client can release a lock",
                    Set.of(),
                    deployment.names(),
                    List.of("Turn access control on, and give lock clients the roles of docs/operations.md.")));
        }
        BsonArray privileges = status.getArray("authenticatedUserPrivileges", new BsonArray());
        return deployment.strategies().stream().map(strategy -> compare(deployment, strategy, privileges));
    }

    private CheckResult compare(Deployment deployment, LockStrategy strategy, BsonArray privileges) {
        String database = deployment.database().getName();
        List<String> missing = new ArrayList<>();
        boolean locks = true;
        for (Map.Entry<String, Set<String>> needed :
                needed(strategy, deployment.collectionOf(strategy)).entrySet()) {
            for (String action : needed.getValue()) {
                if (!allows(privileges, database, needed.getKey(), action)) {
                    missing.add(action + " on '" + database + (needed.getKey().isEmpty() ? "" : "." + needed.getKey())
                            + "'");
                    locks &= !TO_LOCK.contains(action);
                }
            }
        }
        if (deployment.isRouter() && !allows(privileges, "config", "collections", "find")) {
            missing.add("find on 'config.collections'");
        }
        Set<String> one = Set.of(strategy.name());
        return missing.isEmpty()
                ? finding(Status.OK, one, "the user has the rights that clients of " + strategy.name() + " use")
                : finding(
                                locks ? Status.WARNING : Status.BROKEN,
                                one,
                                "the user lacks what clients of " + strategy.name() + " use: "
                                        + String.join(", ", missing))
                        .advise("Grant the roles of docs/operations.md, Rights, to the user of the locks.");
    }

    /** Returns the actions on each collection of a strategy, and on the database as a whole, as in those roles. */
    static Map<String, Set<String>> needed(LockStrategy strategy, String base) {
        Map<String, Set<String>> needed = new TreeMap<>();
        needed.put("", Set.of("listCollections"));
        for (LockCollection collection : strategy.schema().collections()) {
            boolean hasLocks = collection.name().equals(LockSchema.LOCKS);
            boolean deletes = hasLocks && strategy.traits().contains(Trait.NEEDS_TRANSACTIONS);
            Stream<String> more = Stream.of(hasLocks ? "changeStream" : "", deletes ? "remove" : "");
            needed.put(
                    strategy.schema().resolve(collection.name(), base),
                    Set.copyOf(Stream.concat(Stream.of("find", "insert", "update", "listIndexes"), more)
                            .filter(action -> !action.isEmpty())
                            .toList()));
        }
        return needed;
    }

    private static boolean allows(BsonArray privileges, String database, String collection, String action) {
        return privileges.stream()
                .map(BsonValue::asDocument)
                .filter(privilege -> covers(privilege.getDocument("resource", ANYBODY), database, collection))
                .flatMap(privilege -> privilege.getArray("actions", new BsonArray()).stream())
                .anyMatch(allowed -> allowed.asString().getValue().equals(action)
                        || allowed.asString().getValue().equals("anyAction"));
    }

    /** An empty database or collection in a resource matches all of them. */
    private static boolean covers(BsonDocument resource, String database, String collection) {
        if (resource.getBoolean("anyResource", BsonBoolean.FALSE).getValue()) {
            return true;
        }
        return resource.containsKey("db")
                && covers(resource.getString("db"), database)
                && covers(resource.getString("collection", new BsonString("")), collection);
    }

    private static boolean covers(BsonString allowed, String name) {
        return allowed.getValue().isEmpty() || allowed.getValue().equals(name);
    }
}
