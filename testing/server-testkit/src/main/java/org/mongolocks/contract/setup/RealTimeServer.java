package org.mongolocks.contract.setup;

import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.mongolocks.ClientSettings.Timer;
import org.mongolocks.TimeSource;
import org.mongolocks.contract.setup.ServerFinder.ServerInfo;

/** A server with a clock of its own: time passes by waiting. */
final class RealTimeServer implements ContractServer {
    private static final Duration TTL = Duration.ofSeconds(4);
    /**
     * The command timeout: LA-2 lets two seconds pass after a command that took this long, and the lease must still be
     * live then.
     */
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private final String name;
    private final String uri;
    private final ServerInfo facts;

    RealTimeServer(String name, String uri) {
        this.name = name;
        this.uri = uri;
        MongoDatabase admin = DriverClients.shared(uri).sync().getDatabase("admin");
        this.facts = ServerInfo.ask(admin);
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
        return TTL;
    }

    @Override
    public Duration timeout() {
        return TIMEOUT;
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
