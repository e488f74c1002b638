package org.mongolocks.protocol;

import java.util.stream.Stream;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.UpdateSpec;

/** The parts of operations: an update of several documents consists of single updates. */
final class OperationParts {
    private OperationParts() {}

    static Stream<MongoOp> of(MongoOp op) {
        return op instanceof MongoOp.BulkUpdate each
                ? each.updates().stream()
                        .map(update -> new MongoOp.UpdateOne(
                                op.label(), each.collection(), update.filter(), update.change(), false))
                : Stream.of(op);
    }

    static boolean isByPipeline(MongoOp op) {
        if (op instanceof MongoOp.FindOneAndUpdate update) {
            return update.change() instanceof UpdateSpec.Pipeline;
        }
        return op instanceof MongoOp.UpdateOne update && update.change() instanceof UpdateSpec.Pipeline;
    }
}
