package org.mongolocks.internal.run;

import org.bson.BsonDocument;
import org.bson.BsonNumber;
import org.mongolocks.spi.MongoOp;

/**
 * What the server's reply to a {@link MongoOp.Hello} says about it.
 *
 * @param kind what it is
 * @param wireVersion the newest version of the wire protocol that it speaks; 0 if it names none
 */
public record ServerDescription(Kind kind, int wireVersion) {
    /** Before the first reply: neither old nor of any kind. */
    static final ServerDescription UNKNOWN = new ServerDescription(Kind.UNKNOWN, MongoOp.Hello.WIRE_VERSION_4_4);

    /** The kinds of servers. */
    public enum Kind {
        /** Nothing is known yet. */
        UNKNOWN,
        /** A server without replication: it has no transactions. */
        STANDALONE,
        /** A member of a replica set. */
        MEMBER,
        /** A router of a sharded cluster. */
        ROUTER
    }

    /** Reads the reply. */
    public static ServerDescription of(BsonDocument hello) {
        Kind direct = hello.containsKey("setName") ? Kind.MEMBER : Kind.STANDALONE;
        boolean isRouter = hello.containsKey("msg");
        int version = hello.get("maxWireVersion") instanceof BsonNumber number ? number.intValue() : 0;
        return new ServerDescription(isRouter ? Kind.ROUTER : direct, version);
    }

    /** Returns whether commands pass through a router. */
    public boolean isRouter() {
        return kind == Kind.ROUTER;
    }

    /** Returns whether the server is known to execute the commands itself. */
    boolean isDirect() {
        return kind == Kind.STANDALONE || kind == Kind.MEMBER;
    }

    /** Returns whether the server is older than the oldest with a clock in update pipelines, and so with lists of waiters. */
    public boolean isOld() {
        return wireVersion < MongoOp.Hello.WIRE_VERSION_4_4;
    }
}
