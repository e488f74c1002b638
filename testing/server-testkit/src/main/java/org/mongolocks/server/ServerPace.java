package org.mongolocks.server;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.ReplaceOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.function.Predicate;
import org.bson.Document;
import org.mongolocks.proxy.FaultProxy;

/**
 * How slow the server of the tests is: as measured before each test, because a busy machine makes every server slow, and by
 * the delays that system properties ask for. Times that must be longer than commands are derived from it.
 */
final class ServerPace {
    private static final Duration WRITE_DELAY = delay("mongolocks.writeDelay");
    private static final Duration COMMAND_DELAY = delay("mongolocks.commandDelay");
    private static final Set<String> WRITES =
            Set.of("findAndModify", "update", "insert", "delete", "commitTransaction", "create", "createIndexes");

    private static final int SAMPLES = 3;
    private static final Deque<Duration> MEASURED = new ArrayDeque<>();
    private static final Document MARK = new Document("_id", 1);

    private ServerPace() {}

    /** Returns the duration that a property gives, such as {@code 300ms} or {@code 10s}; zero if it is not set. */
    static Duration delay(String property) {
        String value = System.getProperty(property, "0s");
        return value.endsWith("ms")
                ? Duration.ofMillis(Long.parseLong(value.substring(0, value.length() - 2)))
                : Duration.parse("PT" + value);
    }

    /** Returns a connection string that leads to the same server with the delays that the properties ask for. */
    static String delayed(String uri) {
        return through(through(uri, command -> true, COMMAND_DELAY), WRITES::contains, WRITE_DELAY);
    }

    private static String through(String uri, Predicate<String> commands, Duration delay) {
        if (delay.isZero()) {
            return uri;
        }
        InetSocketAddress proxy =
                FaultProxy.slow(ProxyRoute.addressOf(uri), commands, delay).address();
        String direct = uri.replaceFirst("&?replicaSet=[^&]*", "")
                .replaceFirst("(//(?:[^@/]*@)?)[^/?]*/?", "$1" + proxy.getHostString() + ":" + proxy.getPort() + "/");
        return direct + (direct.contains("?") ? "&" : "?") + "directConnection=true";
    }

    /** Measures how long a majority write takes now. */
    static synchronized void measure(MongoDatabase database) {
        long start = System.nanoTime();
        database.getCollection("pace")
                .withWriteConcern(WriteConcern.MAJORITY)
                .replaceOne(MARK, MARK, new ReplaceOptions().upsert(true));
        MEASURED.add(Duration.ofNanos(System.nanoTime() - start));
        if (MEASURED.size() > SAMPLES) {
            MEASURED.remove();
        }
    }

    /** Returns a time in which that many writes are executed one after another, but not less than a minimum. */
    static synchronized Duration ofWrites(int writes, Duration minimum) {
        Duration slowest = MEASURED.stream().max(Duration::compareTo).orElse(Duration.ZERO);
        Duration all = slowest.multipliedBy(writes);
        return all.compareTo(minimum) > 0 ? Duration.ofMillis(all.toMillis()) : minimum;
    }
}
