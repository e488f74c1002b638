package org.mongolocks.embedded.internal.wire;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MessageHeader;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.netty.channel.Channel;
import org.mongolocks.embedded.internal.error.CommandError;

/** A message that came in whole but could not be read. */
final class UnreadableMessage extends MongoMessage {
    private final CommandError error;

    UnreadableMessage(Channel channel, MessageHeader header, CommandError error) {
        super(channel, header, new Document());
        this.error = error;
    }

    CommandError error() {
        return error;
    }
}
