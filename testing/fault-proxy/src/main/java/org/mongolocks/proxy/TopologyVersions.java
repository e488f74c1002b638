package org.mongolocks.proxy;

import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNumber;

/**
 * The {@code topologyVersion} that the drivers of one proxy see: the server's, with its counter increased by one for
 * each injected state change. A driver ignores an error with a version that it has seen, and a reply with an older
 * version.
 *
 * <p>A driver that has marked a server unknown recovers by the {@code hello} that waits at the server, which has had no
 * state change and would keep waiting, for 10 s by default. So a {@code hello} waits for {@link #MAX_WAIT_MILLIS}
 * behind the proxy, and the server does not stream replies to it. Thread-safe.
 */
final class TopologyVersions {
    static final int MAX_WAIT_MILLIS = 50;

    private static final String VERSION = "topologyVersion";
    private static final String COUNTER = "counter";
    private static final String WAIT = "maxAwaitTimeMS";
    private static final Set<String> HELLO = Set.of("hello", "isMaster", "ismaster");

    private BsonDocument last = new BsonDocument();
    private long injected;

    /** Counts a state change, and returns the version for its error; empty if the server has none. */
    synchronized Optional<BsonDocument> next() {
        injected++;
        return last.isEmpty()
                ? Optional.empty()
                : Optional.of(last.clone().append(COUNTER, new BsonInt64(counter(last) + injected)));
    }

    /** Records the server's version in a reply, and returns the reply for the driver. */
    synchronized WireMessage toClient(WireMessage reply) {
        Optional<BsonDocument> version = reply.topologyVersion();
        if (version.isEmpty()) {
            return reply;
        }
        last = version.get();
        return reply.withTopologyCounter(counter(last) + injected);
    }

    /** Returns a request for the server: with its own version, and with a short wait. */
    synchronized WireMessage toServer(WireMessage request) {
        Optional<BsonDocument> hello = request.body()
                .filter(body -> HELLO.contains(request.command().orElse("")))
                .filter(body -> body.containsKey(VERSION) && body.containsKey(WAIT));
        return hello.map(body -> request.with(translated(body))).orElse(request);
    }

    /** With a counter older than its own the server replies at once, but it accepts none below zero. */
    private BsonDocument translated(BsonDocument hello) {
        BsonDocument version = hello.getDocument(VERSION);
        BsonNumber wait = hello.getNumber(WAIT);
        return hello.append(
                        VERSION,
                        version.clone().append(COUNTER, new BsonInt64(Math.max(0, counter(version) - injected))))
                .append(WAIT, new BsonInt64(Math.min(wait.longValue(), MAX_WAIT_MILLIS)));
    }

    private static long counter(BsonDocument version) {
        return version.getNumber(COUNTER).longValue();
    }
}
