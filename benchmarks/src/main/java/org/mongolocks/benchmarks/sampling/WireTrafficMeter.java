package org.mongolocks.benchmarks.sampling;

import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/** A counter of the traffic of a driver: the documents of commands and replies, without message headers. */
public final class WireTrafficMeter implements CommandListener {
    private final AtomicLong commands = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final ToIntFunction<BsonDocument> size;

    private WireTrafficMeter(ToIntFunction<BsonDocument> size) {
        this.size = size;
    }

    /** Returns a meter of commands and bytes. It encodes each document once more, which takes processor time. */
    public static WireTrafficMeter ofBytes() {
        return new WireTrafficMeter(WireTrafficMeter::size);
    }

    /** Returns a meter of commands alone, for a measurement of processor time. */
    public static WireTrafficMeter ofCommands() {
        return new WireTrafficMeter(document -> 0);
    }

    /**
     * The traffic of a driver.
     *
     * @param bytes the size of commands and replies; zero if it is not measured
     */
    public record Traffic(long commands, long bytes) {
        public Traffic since(Traffic earlier) {
            return new Traffic(commands - earlier.commands, bytes - earlier.bytes);
        }
    }

    public Traffic traffic() {
        return new Traffic(commands.get(), bytes.get());
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        commands.incrementAndGet();
        bytes.addAndGet(size.applyAsInt(event.getCommand()));
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        bytes.addAndGet(size.applyAsInt(event.getResponse()));
    }

    /** Not counted: a listener does not receive the reply of a failed command. */
    @Override
    public void commandFailed(CommandFailedEvent event) {}

    private static int size(BsonDocument document) {
        return new RawBsonDocument(document, new BsonDocumentCodec())
                .getByteBuffer()
                .remaining();
    }
}
