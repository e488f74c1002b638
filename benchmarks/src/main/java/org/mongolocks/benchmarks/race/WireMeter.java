package org.mongolocks.benchmarks.race;

import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/** Adds up what a driver sends and receives: the documents of commands and replies, without the headers of messages. */
final class WireMeter implements CommandListener {
    private final AtomicLong commands = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    /**
     * Is what went over the wire.
     *
     * @param commands how many commands
     * @param bytes the size of commands and replies
     */
    record Traffic(long commands, long bytes) {
        Traffic since(Traffic earlier) {
            return new Traffic(commands - earlier.commands, bytes - earlier.bytes);
        }
    }

    Traffic traffic() {
        return new Traffic(commands.get(), bytes.get());
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        commands.incrementAndGet();
        bytes.addAndGet(size(event.getCommand()));
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        bytes.addAndGet(size(event.getResponse()));
    }

    /** A reply that tells of a failure is not shown to listeners; it is not counted. */
    @Override
    public void commandFailed(CommandFailedEvent event) {}

    private static int size(BsonDocument document) {
        return new RawBsonDocument(document, new BsonDocumentCodec())
                .getByteBuffer()
                .remaining();
    }
}
