package org.mongolocks.peers;

import java.time.Duration;

/**
 * A lock library, to be run under the faults of {@code ./study --libraries}. An own one is registered in {@code
 * META-INF/services/org.mongolocks.peers.PeerLibrary}, needs a public constructor without parameters, and is loaded by
 * {@code --classpath}.
 */
public interface PeerLibrary {
    /** The length of the leases of all that can have it. */
    Duration TTL = Duration.ofSeconds(15);

    /** The server on which a library keeps its locks. */
    enum Server {
        /** The MongoDB of the study; a proxy before it injects faults into messages. */
        MONGODB,
        /** The Redis of {@code --redis}. */
        REDIS,
        /** The PostgreSQL of {@code --postgresql}. */
        POSTGRESQL,
        /** Another one, which the library connects to by itself. */
        OTHER
    }

    /**
     * Returns the name of its column.
     *
     * @return lower-case letters, digits and hyphens
     */
    String name();

    /**
     * Returns its title for readers.
     *
     * @return the name of the library with its version
     */
    String title();

    /**
     * Returns where its locks are.
     *
     * @return the kind of server
     */
    Server server();

    /**
     * Returns the length of the leases that are tested, the same for all that can have it: a shorter lease ends under smaller
     * faults. A pause is longer than this, so that long ones make the runs long.
     *
     * @return 15 seconds unless it is overridden
     */
    default Duration ttl() {
        return TTL;
    }

    /**
     * Returns whether grants have fencing tokens, which must grow.
     *
     * @return false unless it is overridden
     */
    default boolean hasTokens() {
        return false;
    }

    /**
     * Opens a client, as each process of an application does.
     *
     * @param place where its locks are; for {@link Server#OTHER} only the names and the ttl have a meaning
     * @return the client
     * @throws Exception if the server cannot be reached
     */
    PeerLocks open(PeerPlace place) throws Exception;
}
