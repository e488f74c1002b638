package org.mongolocks.protocol;

import java.util.Optional;
import org.bson.BsonValue;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Trait;

/** The laws for one operation: whether a strategy may send it. */
record OperationLaws(LockStrategy strategy) {

    boolean isLabelled(MongoOp op) {
        return op.label().startsWith(strategy.name() + "/");
    }

    boolean isInSchema(MongoOp op) {
        return collection(op)
                .map(name -> strategy.schema().collections().stream()
                        .anyMatch(known -> known.name().equals(name)))
                .orElse(true);
    }

    boolean isAllowedByTraits(MongoOp op) {
        return (declares(Trait.NEEDS_TRANSACTIONS) || !(op instanceof MongoOp.Transaction))
                && (!declares(Trait.CLOCK_FREE) || isPlain(op));
    }

    private boolean declares(Trait trait) {
        return strategy.traits().contains(trait);
    }

    private static Optional<String> collection(MongoOp op) {
        BsonValue first = CommandRenderer.of(op).values().iterator().next();
        return first.isString() ? Optional.of(first.asString().getValue()) : Optional.empty();
    }

    /** Every server supports it: nothing is computed, and no clock is read. */
    private static boolean isPlain(MongoOp op) {
        String json = CommandRenderer.inOneLine(CommandRenderer.of(op));
        return OperationParts.of(op).noneMatch(OperationParts::isByPipeline)
                && !json.contains("\"$$")
                && !json.contains("\"$expr\"");
    }
}
