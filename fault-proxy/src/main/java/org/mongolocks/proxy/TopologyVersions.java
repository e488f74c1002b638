package org.mongolocks.proxy;

import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNumber;

/**
 * The {@code topologyVersion} that the drivers of one proxy see: the server's, its counter increased by one for each state
 * change that was injected. A driver ignores an error whose version it knows already, and what an older version says.
 *
 * <p>A driver that has marked a server unknown learns better from the {@code hello} that waits at the server, which knows
 * of no change and would go on waiting, for 10 s by default. So a {@code hello} waits for {@link #LONGEST_WAIT_MILLIS}
 * behind the proxy, and the server does not stream replies to it. Thread-safe.
 */
final class TopologyVersions {
    static final int LONGEST_WAIT_MILLIS = 50;

    private static final String VERSION = "topologyVersion";
    private static final String COUNTER = "counter";
    private static final String WAIT = "maxAwaitTimeMS";
    private static final Set<String> HELLO = Set.of("hello", "isMaster", "ismaster");

    private BsonDocument last = new BsonDocument();
    private long injected;

    /** Counts a state change, and returns the version that its error has; empty if the server has none. */
    synchronized Optional<BsonDocument> next() {
        injected++;
        return last.isEmpty()
                ? Optional.empty()
                : Optional.of(last.clone().append(COUNTER, new BsonInt64(counter(last) + injected)));
    }

    /** Learns the server's version from a reply, and returns the reply as the driver is to see it. */
    synchronized Message toClient(Message reply) {
        Optional<BsonDocument> version = reply.topologyVersion();
        if (version.isEmpty()) {
            return reply;
        }
        last = version.get();
        return reply.withTopologyCounter(counter(last) + injected);
    }

    /** Returns a request as the server is to see it: with its own version, and with a short wait. */
    synchronized Message toServer(Message request) {
        Optional<BsonDocument> hello = request.body()
                .filter(body -> HELLO.contains(request.command().orElse("")))
                .filter(body -> body.containsKey(VERSION) && body.containsKey(WAIT));
        return hello.map(body -> request.with(translated(body))).orElse(request);
    }

    /** An older counter than the server's has it answer at once, but it takes none below zero. */
    private BsonDocument translated(BsonDocument hello) {
        BsonDocument version = hello.getDocument(VERSION);
        BsonNumber wait = hello.getNumber(WAIT);
        return hello.append(
                        VERSION,
                        version.clone().append(COUNTER, new BsonInt64(Math.max(0, counter(version) - injected))))
                .append(WAIT, new BsonInt64(Math.min(wait.longValue(), LONGEST_WAIT_MILLIS)));
    }

    private static long counter(BsonDocument version) {
        return version.getNumber(COUNTER).longValue();
    }
}
