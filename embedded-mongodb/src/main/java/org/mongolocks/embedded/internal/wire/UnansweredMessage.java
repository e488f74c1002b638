package org.mongolocks.embedded.internal.wire;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MessageHeader;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.netty.channel.Channel;

/** A message whose sender wants no reply: a write without acknowledgement. */
final class UnansweredMessage extends MongoMessage {
    UnansweredMessage(Channel channel, MessageHeader header, Document document) {
        super(channel, header, document);
    }
}
