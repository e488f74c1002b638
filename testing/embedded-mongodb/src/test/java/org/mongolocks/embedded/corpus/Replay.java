package org.mongolocks.embedded.corpus;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Replays a scenario and collects where the replies differ from the recorded ones. */
final class Replay {
    // These describe the server itself, of which the scenarios recorded only the fields that a driver reads.
    private static final Set<String> PARTLY_RECORDED = Set.of("isMaster", "buildInfo", "hello");

    private final Target target;
    private final Map<String, BsonDocument> sessions = new HashMap<>();
    private final List<String> differences = new ArrayList<>();
    private BsonValue cursor = new BsonInt64(0);

    private Replay(Target target) {
        this.target = target;
    }

    static List<String> differences(Scenario scenario, Target target) {
        Replay replay = new Replay(target);
        replay.prepare();
        scenario.steps().forEach(replay::step);
        return replay.differences;
    }

    private void prepare() {
        for (String collection : List.of("locks", "res", "fences", "ttl", "newcoll")) {
            target.run("setup", "corpus", new BsonDocument("drop", new BsonString(collection)));
        }
        for (String collection : List.of("locks", "res", "fences")) {
            target.run("setup", "corpus", new BsonDocument("create", new BsonString(collection)));
        }
    }

    private void step(Step step) {
        BsonDocument command = step.command();
        if (command == null) {
            target.advance(Duration.ofMillis(step.sleepMillis()));
            return;
        }
        BsonDocument sent = substituted(command);
        BsonDocument reply = target.run(step.connection(), step.db(), sent);
        // Where the stable API is declared, it was recorded whether the command is let in, and not always more.
        boolean isPartial = PARTLY_RECORDED.contains(command.getFirstKey()) || command.containsKey("apiVersion");
        for (String difference : ReplyComparer.differences(step.reply(), reply, isPartial)) {
            differences.add(sent + "\n  -> " + reply + "\n  " + difference);
        }
        if (reply.containsKey("cursor")) {
            cursor = reply.getDocument("cursor").getInt64("id");
        }
    }

    private BsonDocument substituted(BsonDocument command) {
        BsonDocument sent = command.clone();
        if (sent.containsKey("lsid") && sent.isString("lsid")) {
            sent.put("lsid", sessions.computeIfAbsent(sent.getString("lsid").getValue(), name -> newSession()));
        }
        if (sent.containsKey("getMore") && sent.isString("getMore")) {
            sent.put("getMore", cursor);
        }
        return sent;
    }

    private static BsonDocument newSession() {
        return new BsonDocument("id", new BsonBinary(UUID.randomUUID()));
    }
}
