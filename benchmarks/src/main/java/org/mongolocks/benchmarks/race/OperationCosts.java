package org.mongolocks.benchmarks.race;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import org.bson.BsonTimestamp;
import org.mongolocks.benchmarks.measure.OplogReader;
import org.mongolocks.benchmarks.measure.Samples;
import org.mongolocks.benchmarks.measure.Samples.Operation;
import org.mongolocks.benchmarks.race.WireTrafficMeter.Traffic;

/**
 * The mean costs of an operation on the wire and in the oplog.
 *
 * @param commands the number of commands
 * @param bytes the size of the documents of commands and replies
 * @param oplogEntries the number of oplog entries, if the oplog is readable
 * @param operations the number of operations
 */
record OperationCosts(double commands, double bytes, OptionalDouble oplogEntries, long operations) {
    /** Repeats an operation. The first execution does not count: it may create documents that the others find. */
    static OperationCosts of(Operation operation, Duration time, WireTrafficMeter meter, Optional<OplogReader> oplog)
            throws InterruptedException {
        operation.run();
        Optional<BsonTimestamp> begin = oplog.flatMap(OplogReader::end);
        Traffic before = meter.traffic();
        long operations = Samples.of(time, operation).nanos().getTotalCount();
        Traffic sent = meter.traffic().since(before);
        return new OperationCosts(
                (double) sent.commands() / operations,
                (double) sent.bytes() / operations,
                entries(oplog, begin, operations),
                operations);
    }

    private static OptionalDouble entries(Optional<OplogReader> oplog, Optional<BsonTimestamp> begin, long operations) {
        return oplog.isPresent() && begin.isPresent()
                ? OptionalDouble.of((double) oplog.get().countSince(begin.get()) / operations)
                : OptionalDouble.empty();
    }
}
