package org.mongolocks.study.process;

import org.bson.BsonDocument;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.FindOneAndUpdate;
import org.mongolocks.spi.MongoOp.UpdateSpec;

/** A strategy that takes every lease for an expired one. Clients create it by the name of this class. */
public final class GrantsHeldLocks extends ForwardingStrategy {
    private static final JsonWriterSettings TYPED =
            JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();
    private static final String EXPIRED = BsonDocument.parse("{$lte: [{$add: ['$renewedAt', '$leaseMs']}, '$$NOW']}")
            .toJson(TYPED);

    public GrantsHeldLocks() {
        super(LockStrategies.named("findandmodify-counter"));
    }

    @Override
    protected MongoOp change(MongoOp op) {
        return op instanceof FindOneAndUpdate update && op.label().endsWith("/acquire-or-extend")
                ? new FindOneAndUpdate(
                        op.label(),
                        update.collection(),
                        update.filter(),
                        everyLeaseExpired((UpdateSpec.Pipeline) update.change()),
                        update.upsert(),
                        update.projection())
                : op;
    }

    private static UpdateSpec everyLeaseExpired(UpdateSpec.Pipeline change) {
        return new UpdateSpec.Pipeline(change.stages().stream()
                .map(stage -> BsonDocument.parse(withoutExpiry(stage.toJson(TYPED))))
                .toList());
    }

    private static String withoutExpiry(String stage) {
        if (stage.contains("$switch") && !stage.contains(EXPIRED)) {
            throw new AssertionError("The command has no such part: " + EXPIRED + " in " + stage);
        }
        return stage.replace(EXPIRED, "true");
    }
}
