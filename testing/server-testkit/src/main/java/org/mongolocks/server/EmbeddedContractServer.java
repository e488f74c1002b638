package org.mongolocks.server;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.embedded.MovableClock;
import org.mongolocks.server.ServerFinder.ServerInfo;
import org.mongolocks.time.TimeSource;
import org.mongolocks.time.Timer;

/**
 * The embedded server, with a clock that the contract moves and that the clients share. The clock is moved only when no
 * other thread can run, and when the call returns, all tasks that became due have run: slow threads on a busy machine
 * miss nothing.
 */
public final class EmbeddedContractServer implements ContractServer {
    /**
     * So long that only a move of the clock ends it, however slow the machine is. Less than half of it passes in a transaction,
     * which the server ends after a minute.
     */
    private static final Duration TTL = Duration.ofSeconds(100);

    private static final Duration MIN_TIMEOUT = Duration.ofMillis(500);
    /** A command is much faster than its timeout. */
    private static final int WRITES_PER_TIMEOUT = 10;
    /** The version of MongoDB that the server answers as, the newest if not set. */
    private static final String VERSION = System.getProperty("mongolocks.mongodbVersion", "9.0");
    /** MongoDB 4.2. */
    private static final int OLDEST_WIRE_VERSION = 8;

    private final String uri;
    private final MovableClock clock;
    private final ClockTimer timer;
    private final ServerInfo facts;
    private final boolean hasUpdatePipelines;

    private EmbeddedContractServer(EmbeddedMongo mongo, MovableClock clock, boolean hasUpdatePipelines) {
        this.uri = ServerPace.delayed(mongo.connectionString());
        this.clock = clock;
        this.hasUpdatePipelines = hasUpdatePipelines;
        this.timer = ClockTimer.on(clock);
        this.facts = ServerInfo.ask(DriverClients.shared(uri).sync().getDatabase("admin"));
        Runtime.getRuntime().addShutdownHook(new Thread(mongo::close, "contract-server"));
    }

    static ContractServer replicaSet() {
        MovableClock clock = MovableClock.running();
        return new EmbeddedContractServer(
                EmbeddedMongo.builder().version(VERSION).clock(clock).start(), clock, true);
    }

    static ContractServer standalone() {
        MovableClock clock = MovableClock.running();
        return new EmbeddedContractServer(
                EmbeddedMongo.builder()
                        .version(VERSION)
                        .clock(clock)
                        .standalone()
                        .start(),
                clock,
                true);
    }

    static ContractServer router() {
        MovableClock clock = MovableClock.running();
        return new EmbeddedContractServer(
                EmbeddedMongo.builder()
                        .clock(clock)
                        .router()
                        .eventInterval(ServerPace.delay("mongolocks.eventInterval"))
                        .start(),
                clock,
                true);
    }

    /** Starts a server of the age of MongoDB 4.0, as far as updates show; it claims the oldest wire version that the driver accepts. */
    static ContractServer withoutUpdatePipelines() {
        MovableClock clock = MovableClock.running();
        return new EmbeddedContractServer(
                EmbeddedMongo.builder()
                        .clock(clock)
                        .withoutUpdatePipelines(OLDEST_WIRE_VERSION)
                        .start(),
                clock,
                false);
    }

    @Override
    public String description() {
        return "the embedded server, which answers as " + facts;
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
    public boolean hasUpdatePipelines() {
        return hasUpdatePipelines;
    }

    @Override
    public TimeSource time() {
        return this::nanoTime;
    }

    @Override
    public Optional<Timer> timer() {
        return Optional.of(timer);
    }

    @Override
    public Duration ttl() {
        return TTL;
    }

    @Override
    public Duration timeout() {
        return ServerPace.ofWrites(WRITES_PER_TIMEOUT, MIN_TIMEOUT);
    }

    /**
     * Synchronized because a thread that moves the clock waits for all others to sleep, and would wait for a second one
     * that does the same.
     */
    @Override
    public synchronized void elapse(Duration duration) {
        Quiescence.await();
        clock.advance(duration);
        Quiescence.await();
    }

    /** Moves the clock without waiting for sleeping threads: after the last rule, remaining work of clients does not matter. */
    public void skip(Duration duration) {
        clock.advance(duration);
    }

    @Override
    public boolean cleanUpAfter(Duration duration) {
        elapse(duration);
        return true;
    }

    private long nanoTime() {
        Instant now = clock.instant();
        return Duration.ofSeconds(now.getEpochSecond(), now.getNano()).toNanos();
    }
}
