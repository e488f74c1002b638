package org.mongolocks.benchmarks.race;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import org.bson.BsonTimestamp;
import org.mongolocks.benchmarks.measure.Block;
import org.mongolocks.benchmarks.measure.Block.Operation;
import org.mongolocks.benchmarks.measure.Oplog;
import org.mongolocks.benchmarks.race.WireMeter.Traffic;

/**
 * Is what each of some operations sent and had written.
 *
 * @param commands commands of each
 * @param bytes the size of their documents and replies
 * @param oplogEntries what the server wrote for its other members, if that can be known
 * @param operations how many operations there were
 */
record Bill(double commands, double bytes, OptionalDouble oplogEntries, long operations) {
    /** Runs an operation again and again. The first does not count: it may create what is there for the others. */
    static Bill of(Operation operation, Duration time, WireMeter meter, Optional<Oplog> oplog)
            throws InterruptedException {
        operation.run();
        Optional<BsonTimestamp> begin = oplog.flatMap(Oplog::end);
        Traffic before = meter.traffic();
        long operations = Block.of(time, operation).nanos().getTotalCount();
        Traffic sent = meter.traffic().since(before);
        return new Bill(
                (double) sent.commands() / operations,
                (double) sent.bytes() / operations,
                entries(oplog, begin, operations),
                operations);
    }

    private static OptionalDouble entries(Optional<Oplog> oplog, Optional<BsonTimestamp> begin, long operations) {
        return oplog.isPresent() && begin.isPresent()
                ? OptionalDouble.of((double) oplog.get().countSince(begin.get()) / operations)
                : OptionalDouble.empty();
    }
}
