package org.mongolocks.embedded.internal.wire;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MessageHeader;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.netty.channel.Channel;

/** A message that came in whole but could not be read. */
final class UnreadableMessage extends MongoMessage {
    private final String reason;

    UnreadableMessage(Channel channel, MessageHeader header, String reason) {
        super(channel, header, new Document());
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
