package org.mongolocks.contract.adapter;

import com.mongodb.MongoTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.mongolocks.LockException;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.proxy.FaultRule;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ProxyRoute;

/** A client and the faults that hit it alone: it reaches the server through a proxy of its own. */
public final class FaultyLocks implements AutoCloseable {
    /** More faults than any number of retries. */
    public static final int ALWAYS = 100_000;

    public static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private static final int MAX_BUILD_ATTEMPTS = 20;

    private final BlockingLocks locks;
    private final ProxyRoute detour;

    public FaultyLocks(BlockingLocks locks, ProxyRoute detour) {
        this.locks = locks;
        this.detour = detour;
    }

    /**
     * Builds a client on its own route, after its driver has connected. The client may have a short command timeout, and
     * on a busy machine its preparation may take longer: then it is built again.
     */
    public static FaultyLocks on(ProxyRoute detour, Driver driver, Driver.Setup setup) throws InterruptedException {
        driver.connect(detour.connection());
        for (int attempt = 1; ; attempt++) {
            try {
                return new FaultyLocks(driver.build(detour.connection(), ContractServer.DATABASE, setup), detour);
            } catch (LockException e) {
                if (attempt == MAX_BUILD_ATTEMPTS || !(e.getCause() instanceof MongoTimeoutException)) {
                    throw e;
                }
            }
        }
    }

    public Duration closeTimeout() {
        return CLOSE_TIMEOUT;
    }

    public BlockingLocks locks() {
        return locks;
    }

    /** Returns the driver clients that use the same route. */
    public DriverClients connection() {
        return detour.connection();
    }

    public FaultProxy proxy() {
        return detour.proxy();
    }

    /** Closes the connection on the next commands of these names, before they are executed. */
    public void closeConnection(int times, List<String> commands) {
        inject(times, commands, WireFault.loseRequest());
    }

    /** Refuses the next commands of these names with an error code, before they are executed. */
    public void refuse(int times, int code, List<String> commands) {
        inject(times, commands, WireFault.refuse(code));
    }

    /** Executes the next commands of these names, and adds a write concern error to their replies. */
    public void failWriteConcern(int times, List<String> commands) {
        inject(times, commands, WireFault.failWriteConcern(64));
    }

    /** Holds all commands of these names until the faults end. */
    public void stall(List<String> commands) {
        inject(ALWAYS, commands, WireFault.holdRequest());
    }

    /** Injects a fault into the next command of these names. */
    public FaultRule trapNext(List<String> commands, WireFault fault) {
        return detour.proxy().arm(CommandMatcher.atNext(commands), fault);
    }

    /** Occupies every connection of the driver's pool until the trap is released. */
    public FaultRule useUpConnections() throws InterruptedException {
        FaultRule busy =
                detour.proxy().arm(CommandMatcher.atAll(List.of("ping")), WireFault.holdReply(WireFault.none()));
        BsonDocument ping = new BsonDocument("ping", new BsonInt32(1));
        int sent = 0;
        for (int i = 0; i < ProxyRoute.POOL; i++) {
            sent += connection().sendByEach(ping);
        }
        busy.awaitCaught(sent);
        return busy;
    }

    /** Returns a latch that counts down when the client next sends a command of one of these names. */
    public CountDownLatch nextSent(List<String> commands) {
        return connection().sent().nextSent(1, command -> commands.contains(command.getCommandName()));
    }

    /** Ends the faults; the client remains usable. */
    public void heal() {
        detour.proxy().heal();
    }

    /** Cuts the connection for good, like a killed process; the client is not notified. */
    public void die() {
        connection().close();
    }

    /** Ends the faults, then closes the client and the connection. */
    @Override
    public void close() {
        heal();
        locks.close();
        detour.close();
    }

    /** Replaces the previous faults. */
    private void inject(int times, List<String> commands, WireFault fault) {
        heal();
        detour.proxy().arm(new CommandMatcher(Set.copyOf(commands), 0, times), fault);
    }
}
