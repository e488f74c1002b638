package org.mongolocks.contract.operate;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.mongolocks.spi.LockSchema;

/** A command listener that records the actions that a server with access control would require. */
final class NeededRights implements CommandListener {
    /** Commands that need no privilege. A cursor may be read by the user that opened it. */
    private static final Set<String> FREE = Set.of(
            "hello",
            "isMaster",
            "ping",
            "endSessions",
            "commitTransaction",
            "abortTransaction",
            "getMore",
            "killCursors",
            "saslStart",
            "saslContinue");

    private final List<BsonDocument> commands = new CopyOnWriteArrayList<>();
    private final String base;

    NeededRights(String base) {
        this.base = base;
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        if (!FREE.contains(event.getCommandName())) {
            commands.add(event.getCommand().clone());
        }
    }

    /** Returns whether a change stream was opened. */
    boolean streams() {
        return commands.stream().anyMatch(command -> command.containsKey("aggregate"));
    }

    /** Returns the actions by collection, as a strategy names it or as {@code config.} and its name, or by database. */
    Map<String, Set<String>> actions() {
        Map<String, Set<String>> needed = new TreeMap<>();
        commands.forEach(command ->
                actions(command).forEach(needed.computeIfAbsent(collection(command), any -> new TreeSet<>())::add));
        return needed;
    }

    private static Stream<String> actions(BsonDocument command) {
        return switch (command.getFirstKey()) {
            case "find", "insert", "listIndexes", "listCollections" -> Stream.of(command.getFirstKey());
            case "findAndModify" -> Stream.concat(Stream.of("find", "update"), insertIfUpsert(command));
            case "update" ->
                Stream.concat(
                        Stream.of("update"),
                        command.getArray("updates").stream().flatMap(update -> insertIfUpsert(update.asDocument())));
            case "delete" -> Stream.of("remove");
            case "create" -> Stream.of("createCollection");
            case "createIndexes" -> Stream.of("createIndex");
            case "aggregate" -> aggregation(command);
            default -> throw new AssertionError("The privilege for this command is unknown: " + command.toJson());
        };
    }

    private static Stream<String> aggregation(BsonDocument command) {
        BsonValue first = command.getArray("pipeline").get(0);
        if (!first.asDocument().containsKey("$changeStream")) {
            throw new AssertionError("The privilege for this command is unknown: " + command.toJson());
        }
        return Stream.of("find", "changeStream");
    }

    private static Stream<String> insertIfUpsert(BsonDocument write) {
        return write.getBoolean("upsert", BsonBoolean.FALSE).getValue() ? Stream.of("insert") : Stream.of();
    }

    private String collection(BsonDocument command) {
        if (command.containsKey("listCollections")) {
            return DocumentedRoles.DATABASE;
        }
        String name = command.getString(command.getFirstKey()).getValue();
        String database = command.getString("$db").getValue();
        if (database.equals(DocumentedRoles.CONFIG)) {
            return database + '.' + name;
        }
        if (name.equals(base)) {
            return LockSchema.LOCKS;
        }
        if (!name.startsWith(base + ".")) {
            throw new AssertionError("No collection of this client: " + command.toJson());
        }
        return name.substring(base.length() + 1);
    }
}
