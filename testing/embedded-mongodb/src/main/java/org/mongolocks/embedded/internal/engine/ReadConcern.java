package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import java.util.Set;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.session.SessionOptions;

/**
 * Checks the read concern of a command. {@code majority} reads the data that a majority of the members has; a transaction,
 * {@code local} and {@code available} read all that is stored.
 */
final class ReadConcern {
    private static final Set<String> LEVELS = Set.of("local", "majority", "available", "snapshot");

    private ReadConcern() {}

    static void check(Call call) {
        Document command = call.command();
        if (!command.containsKey("readConcern")) {
            return;
        }
        if (!(command.get("readConcern") instanceof Document concern)) {
            throw CommandError.typeMismatch("\"readConcern\" had the wrong type. Expected object, found "
                    + BsonKind.nameOf(command.get("readConcern")));
        }
        String level = level(concern);
        checkSession(call.options(), level);
        checkSupported(call, level);
        checkTime(call.server(), concern);
    }

    /** Whether a command reads what a majority has. */
    static boolean isMajority(Call call) {
        return !call.options().isTransaction()
                && call.command().get("readConcern") instanceof Document concern
                && "majority".equals(concern.get("level"));
    }

    private static String level(Document concern) {
        for (String name : concern.keySet()) {
            if (!name.equals("level") && !name.equals("afterClusterTime")) {
                throw CommandError.unsupported("readConcern." + name);
            }
        }
        Object level = concern.getOrDefault("level", "local");
        if (!(level instanceof String text) || !LEVELS.contains(text)) {
            throw CommandError.unsupported("The readConcern level " + ShellText.of(level));
        }
        return text;
    }

    private static void checkSession(SessionOptions options, String level) {
        if (options.isTransaction()) {
            if (!options.startsTransaction()) {
                throw CommandError.invalidOptions("Only the first command in a transaction may specify a readConcern");
            }
        } else if (level.equals("snapshot")) {
            throw CommandError.invalidOptions(
                    "readConcern level snapshot is only valid for the first transaction operation");
        }
    }

    private static void checkSupported(Call call, String level) {
        boolean isWeak = level.equals("local") || level.equals("available");
        boolean isFree = call.options().isTransaction() && !call.definition().is(ServerFeature.LOCAL_READ_CONCERN);
        if (!isWeak && !isFree && !call.definition().is(ServerFeature.READ_CONCERN)) {
            throw CommandError.invalidOptions(
                    "Command " + call.definition().name() + " does not support { readConcern: { level: \"" + level
                            + "\" } } :: caused by :: read concern not supported");
        }
    }

    private static void checkTime(Server server, Document concern) {
        if (!concern.containsKey("afterClusterTime")) {
            return;
        }
        if (!server.config().isReplicaSet()) {
            throw CommandError.illegalOperation(
                    "Cannot specify afterClusterTime readConcern without replication enabled");
        }
        if (!(concern.get("afterClusterTime") instanceof BsonTimestamp after)) {
            throw CommandError.typeMismatch("\"afterClusterTime\" had the wrong type. Expected timestamp");
        }
        if (after.compareTo(server.store().clock().latest()) > 0) {
            throw CommandError.invalidOptions(
                    "readConcern afterClusterTime value must not be greater than the current clusterTime."
                            + " Requested clusterTime: " + after + "; current clusterTime: "
                            + server.store().clock().latest());
        }
    }
}
