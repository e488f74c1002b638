package org.mongolocks.server;

import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.mongolocks.server.ServerFinder.ServerInfo;
import org.mongolocks.time.TimeSource;
import org.mongolocks.time.Timer;

/** A server with a clock of its own: time passes by waiting. */
final class RealTimeServer implements ContractServer {
    private static final Duration MIN_TTL = Duration.ofSeconds(4);
    /** More writes than any rule sends while one lease must last. */
    private static final int WRITES_PER_LEASE = 60;
    /**
     * The command timeout is this part of a lease: LA-2 lets half a lease pass after a command that took this long, and the
     * lease must still be live then.
     */
    private static final int TIMEOUTS_PER_LEASE = 6;

    private final String name;
    private final String uri;
    private final ServerInfo facts;
    private final Duration ttl = ServerPace.ofWrites(WRITES_PER_LEASE, MIN_TTL);

    private RealTimeServer(String name, String uri, ServerInfo facts) {
        this.name = name;
        this.uri = uri;
        this.facts = facts;
    }

    static RealTimeServer at(String name, String uri) {
        String delayed = ServerPace.delayed(uri);
        MongoDatabase admin = DriverClients.shared(delayed).sync().getDatabase("admin");
        return new RealTimeServer(name, delayed, ServerInfo.ask(admin));
    }

    /** Returns this server with leases as long as its present pace needs them. */
    RealTimeServer now() {
        return new RealTimeServer(name, uri, facts);
    }

    @Override
    public String description() {
        return name + ", " + facts;
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public boolean isStandalone() {
        return facts.isStandalone();
    }

    @Override
    public boolean isSharded() {
        return facts.isSharded();
    }

    @Override
    public TimeSource time() {
        return TimeSource.system();
    }

    @Override
    public Optional<Timer> timer() {
        return Optional.empty();
    }

    @Override
    public Duration ttl() {
        return ttl;
    }

    @Override
    public Duration timeout() {
        return ttl.dividedBy(TIMEOUTS_PER_LEASE);
    }

    @Override
    public void elapse(Duration duration) {
        try {
            TimeUnit.NANOSECONDS.sleep(duration.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting", e);
        }
    }

    @Override
    public boolean cleanUpAfter(Duration duration) {
        return false;
    }
}
