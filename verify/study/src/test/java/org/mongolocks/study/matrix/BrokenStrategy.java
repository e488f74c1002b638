package org.mongolocks.study.matrix;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.lease.LeaseDocument;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** A strategy of the library with one mistake. */
final class BrokenStrategy extends ForwardingStrategy {
    private static final String STRATEGY = "findandmodify-counter";
    private static final BsonValue NOW = new BsonString("$$NOW");
    private static final BsonValue FENCE_OR_ZERO = orElse("$fence", 0);
    private static final BsonValue NEXT_TOKEN = new BsonDocument(
            "$max",
            new BsonArray(List.of(
                    new BsonDocument("$add", new BsonArray(List.of(FENCE_OR_ZERO, new BsonInt64(1)))),
                    new BsonDocument("$toLong", NOW))));

    private final UnaryOperator<MongoOp.FindOneAndUpdate> mistake;
    private final boolean compensates;

    private BrokenStrategy(
            LockStrategy strategy, UnaryOperator<MongoOp.FindOneAndUpdate> mistake, boolean compensates) {
        super(strategy);
        this.mistake = mistake;
        this.compensates = compensates;
    }

    static Technique ownerUncheckedOnRelease() {
        return with(op -> op.label().endsWith("/release")
                ? new MongoOp.FindOneAndUpdate(
                        op.label(), op.collection(), LeaseDocument.named(lockOf(op)), op.change(), false)
                : op);
    }

    /** Accepts any owner, also at the beginning of a guarded transaction, which is a renewal. */
    static Technique ownerUncheckedOnRenewal() {
        return with(op -> op.label().endsWith("/renew")
                ? new MongoOp.FindOneAndUpdate(
                        op.label(), op.collection(), LeaseDocument.named(lockOf(op)), op.change(), false)
                : op);
    }

    static Technique leaseMovesBack() {
        return with(op -> rewritten(op, BrokenStrategy::withoutLatest));
    }

    static Technique clientClock() {
        return technique(clock -> new BrokenStrategy(
                LockStrategies.named(STRATEGY),
                op -> rewritten(op, value -> byClientClock(value, new BsonDateTime(clock.millis()))),
                true));
    }

    static Technique fenceNotCounted() {
        return with(op -> rewritten(op, BrokenStrategy::withoutCounting));
    }

    static Technique nothingCompensated() {
        return technique(clock -> new BrokenStrategy(LockStrategies.named(STRATEGY), UnaryOperator.identity(), false));
    }

    private static Technique with(UnaryOperator<MongoOp.FindOneAndUpdate> mistake) {
        return technique(clock -> new BrokenStrategy(LockStrategies.named(STRATEGY), mistake, true));
    }

    private static Technique technique(Function<InstantSource, LockStrategy> strategies) {
        return new Technique(
                "broken-" + STRATEGY, strategies, Techniques.shipped().get(0).config());
    }

    @Override
    public String name() {
        return "broken-" + super.name();
    }

    @Override
    public Optional<String> format() {
        return Optional.empty();
    }

    /** Renews each lock by a command of its own, to which mistakes apply. */
    @Override
    public Optional<Step<Boolean>> renewAll(List<Lease> leases) {
        return Optional.empty();
    }

    @Override
    public Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken) {
        return compensates || fencingToken.isPresent() ? super.release(name, owner, fencingToken) : Step.done(false);
    }

    @Override
    protected MongoOp change(MongoOp op) {
        if (op instanceof MongoOp.UpdateOne update) {
            return mistake.apply(new MongoOp.FindOneAndUpdate(
                    op.label(), update.collection(), update.filter(), update.change(), update.upsert()));
        }
        return op instanceof MongoOp.FindOneAndUpdate update ? mistake.apply(update) : op;
    }

    private static MongoOp.FindOneAndUpdate rewritten(MongoOp.FindOneAndUpdate op, UnaryOperator<BsonValue> change) {
        UpdateSpec changed = op.change()
                .fold(
                        operators -> UpdateSpec.operators(
                                rewritten(operators, change).asDocument()),
                        stages -> new UpdateSpec.Pipeline(stages.stream()
                                .map(stage -> rewritten(stage, change).asDocument())
                                .toList()));
        return new MongoOp.FindOneAndUpdate(
                op.label(), op.collection(), op.filter(), changed, op.upsert(), op.projection());
    }

    private static BsonValue rewritten(BsonValue value, UnaryOperator<BsonValue> change) {
        BsonValue changed = change.apply(value);
        if (changed.isArray()) {
            BsonArray array = new BsonArray();
            changed.asArray().forEach(element -> array.add(rewritten(element, change)));
            return array;
        }
        if (changed instanceof BsonDocument document) {
            BsonDocument result = new BsonDocument();
            for (Map.Entry<String, BsonValue> field : document.entrySet()) {
                result.put(field.getKey(), rewritten(field.getValue(), change));
            }
            return result;
        }
        return changed;
    }

    /** Replaces the server's time, in an expression or an update by operators. */
    private static BsonValue byClientClock(BsonValue value, BsonDateTime now) {
        if (value instanceof BsonDocument update && update.containsKey("$currentDate")) {
            BsonDocument changed = copy(update);
            BsonDocument set = copy(changed.getDocument("$set", new BsonDocument()));
            changed.getDocument("$currentDate").keySet().forEach(field -> set.append(field, now));
            changed.remove("$currentDate");
            return changed.append("$set", set);
        }
        return value.equals(NOW) ? now : value;
    }

    private static BsonValue withoutCounting(BsonValue value) {
        if (value instanceof BsonDocument update && update.get("$inc") instanceof BsonDocument increments) {
            BsonDocument others = copy(increments);
            others.remove("fence");
            return copy(update).append("$inc", others);
        }
        return value.equals(NEXT_TOKEN) ? orElse("$fence", 1) : value;
    }

    private static BsonDocument copy(BsonDocument original) {
        BsonDocument copy = new BsonDocument();
        copy.putAll(original);
        return copy;
    }

    /** Begins a lease now, for its ttl, also if that is earlier than it began, or ended, before. */
    private static BsonValue withoutLatest(BsonValue value) {
        if (value instanceof BsonDocument document && document.get("$max") instanceof BsonArray latest) {
            boolean isLength = latest.get(1) instanceof BsonDocument left && left.containsKey("$subtract");
            return isLength ? latest.get(0) : latest.get(0).equals(new BsonString("$renewedAt")) ? NOW : value;
        }
        return value;
    }

    private static BsonValue orElse(String path, long other) {
        return new BsonDocument("$ifNull", new BsonArray(List.of(new BsonString(path), new BsonInt64(other))));
    }

    private static LockName lockOf(MongoOp.FindOneAndUpdate op) {
        return LockName.of(op.filter().getString("_id").getValue());
    }
}
