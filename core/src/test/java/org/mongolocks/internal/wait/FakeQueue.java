package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.ManualTime;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;

/** A server with one queue. It executes the commands on it, and records them. */
final class FakeQueue {
    final List<String> commands = new ArrayList<>();
    private final ManualTime time;
    private final long epochNanos;
    private final Map<String, BsonDocument> tickets = new LinkedHashMap<>();
    private boolean exists;
    private Optional<BsonDateTime> grantedAt = Optional.empty();
    private Optional<BsonDateTime> gaveUpAt = Optional.empty();
    private int givenUp;
    private int markings;
    private int losses;
    private Runnable during = () -> {};

    FakeQueue(ManualTime time) {
        this.time = time;
        this.epochNanos = time.nanoTime();
    }

    /** Executes the next commands, and loses their replies. */
    void losesAnswers(int count) {
        losses = count;
    }

    /** Runs an action after the next command was executed, and before its reply. */
    void meanwhile(Runnable action) {
        during = action;
    }

    List<String> owners() {
        return List.copyOf(tickets.keySet());
    }

    /** Returns the owners of the tickets that are marked as skipped. */
    List<String> skipped() {
        return tickets.entrySet().stream()
                .filter(ticket -> ticket.getValue().containsKey("skipped"))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns how many commands have marked tickets. */
    int markings() {
        return markings;
    }

    boolean exists() {
        return exists;
    }

    void forget(String owner) {
        tickets.remove(owner);
    }

    Reply answer(MongoOp op) {
        commands.add(op.label());
        Reply reply = executed(op);
        Runnable event = during;
        during = () -> {};
        event.run();
        return losses-- > 0 ? FakeStrategy.failure(Fault.AMBIGUOUS) : reply;
    }

    private Reply executed(MongoOp op) {
        return switch (op.label()) {
            case "queue/add-ticket" -> addTicket((MongoOp.FindOneAndUpdate) op);
            case "queue/leave" -> leave((MongoOp.FindOneAndUpdate) op);
            case "queue/leave-as-last" -> leaveAsLast(((MongoOp.DeleteOne) op).filter());
            case "queue/sweep" -> deleteIf(tickets.isEmpty());
            default -> stored();
        };
    }

    private Reply addTicket(MongoOp.FindOneAndUpdate op) {
        assertThat(op.collection()).isEqualTo(LockSchema.QUEUE);
        BsonArray parts = stage(op, 1).getDocument("tickets").getArray("$concatArrays");
        BsonArray renewal = at(parts.get(0), "$map", "in").getArray("$cond");
        BsonArray owners = literals(renewal.get(0));
        Set<String> fields = renewal.get(1).asDocument().keySet();
        BsonDocument mine = at(parts.get(1), "$map", "input", "$filter", "input")
                .getArray("$literal")
                .get(0)
                .asDocument();
        dropEnded();
        exists = true;
        tickets.putIfAbsent(mine.getString("owner").getValue(), mine.clone());
        owners.forEach(owner ->
                tickets.computeIfPresent(owner.asString().getValue(), (same, ticket) -> renewed(ticket, fields)));
        return stored();
    }

    private Reply leave(MongoOp.FindOneAndUpdate op) {
        BsonDocument change = stage(op, 0);
        BsonDocument left = change.getDocument("tickets");
        BsonDocument others = left.containsKey("$map") ? at(left, "$map", "input") : left;
        BsonArray conditions = at(others, "$filter", "cond").getArray("$and");
        BsonValue owner = conditions.get(0).asDocument().getArray("$ne").get(1);
        dropEnded();
        tickets.remove(owner.asDocument().getString("$literal").getValue());
        if (left.containsKey("$map")) {
            markSkipped(literals(at(left, "$map", "in").getArray("$cond").get(0)));
        }
        givenUp += change.containsKey("givenUp") ? 1 : 0;
        gaveUpAt = change.containsKey("gaveUpAt") ? Optional.of(new BsonDateTime(now())) : gaveUpAt;
        grantedAt = change.containsKey("grantedAt") ? Optional.of(new BsonDateTime(now())) : grantedAt;
        return stored();
    }

    private void markSkipped(BsonArray owners) {
        assertThat(owners).isNotEmpty();
        markings++;
        owners.forEach(owner -> tickets.computeIfPresent(
                owner.asString().getValue(), (same, ticket) -> ticket.clone().append("skipped", BsonBoolean.TRUE)));
    }

    private static BsonArray literals(BsonValue isIn) {
        return isIn.asDocument().getArray("$in").get(1).asDocument().getArray("$literal");
    }

    private Reply leaveAsLast(BsonDocument filter) {
        String owner = filter.getString("tickets.owner").getValue();
        return deleteIf(owners().equals(List.of(owner)));
    }

    private Reply deleteIf(boolean condition) {
        boolean deleted = exists && condition;
        if (deleted) {
            exists = false;
            grantedAt = Optional.empty();
            gaveUpAt = Optional.empty();
            givenUp = 0;
            tickets.clear();
        }
        return new Reply.Counted(deleted ? 1 : 0, false);
    }

    private void dropEnded() {
        tickets.values().removeIf(ticket -> ticket.getDateTime("until").getValue() <= now());
    }

    private BsonDocument renewed(BsonDocument ticket, Set<String> fields) {
        BsonDocument renewed = ticket.clone();
        renewed.append("givenUp", new BsonInt32(givenUp));
        renewed.keySet().retainAll(fields);
        return renewed.append(
                "until", new BsonDateTime(now() + ticket.getInt64("ttlMs").getValue()));
    }

    private Reply stored() {
        BsonDocument document = new BsonDocument("_id", new BsonString(Lab.NAME.value()))
                .append("tickets", new BsonArray(List.copyOf(tickets.values())))
                .append("givenUp", new BsonInt32(givenUp))
                .append("at", new BsonDateTime(now()));
        grantedAt.ifPresent(time -> document.append("grantedAt", time));
        gaveUpAt.ifPresent(time -> document.append("gaveUpAt", time));
        return exists ? Reply.Found.of(document.clone()) : Reply.Found.none();
    }

    private long now() {
        return (time.nanoTime() - epochNanos) / 1_000_000;
    }

    private static BsonDocument stage(MongoOp.FindOneAndUpdate op, int number) {
        return ((UpdateSpec.Pipeline) op.change()).stages().get(number).getDocument("$set");
    }

    private static BsonDocument at(BsonValue document, String... path) {
        BsonDocument inner = document.asDocument();
        for (String key : path) {
            inner = inner.getDocument(key);
        }
        return inner;
    }
}
