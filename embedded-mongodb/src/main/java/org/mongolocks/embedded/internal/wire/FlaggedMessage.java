package org.mongolocks.embedded.internal.wire;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MessageHeader;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.netty.channel.Channel;

/** A message with flags of its header that the library does not know. */
final class FlaggedMessage extends MongoMessage {
    /** On a request: no reply is wanted. On a reply: another one follows without a request. */
    static final int MORE_TO_COME = 1 << 1;

    /** On a request: the server may send more than one reply. */
    static final int EXHAUST_ALLOWED = 1 << 16;

    private final int flags;

    FlaggedMessage(Channel channel, MessageHeader header, Document document, int flags) {
        super(channel, header, document);
        this.flags = flags;
    }

    @Override
    public int getFlags() {
        return flags;
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }
}
