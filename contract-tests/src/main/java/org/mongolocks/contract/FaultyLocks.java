package org.mongolocks.contract;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.proxy.FaultRule;
import org.mongolocks.proxy.WireFault;
import reactor.core.publisher.Mono;

/** A client and the faults that hit it alone: it reaches the server through a proxy of its own. */
public final class FaultyLocks implements AutoCloseable {
    static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final BlockingLocks locks;
    private final ProxyRoute detour;

    FaultyLocks(BlockingLocks locks, ProxyRoute detour) {
        this.locks = locks;
        this.detour = detour;
    }

    /**
     * Builds a client on its own route, after its driver has connected: the client may have a short command timeout.
     */
    static FaultyLocks on(ProxyRoute detour, Driver driver, Driver.Setup setup) throws InterruptedException {
        driver.connect(detour.connection());
        return new FaultyLocks(driver.build(detour.connection(), LockContract.DATABASE, setup), detour);
    }

    Duration closeTimeout() {
        return CLOSE_TIMEOUT;
    }

    BlockingLocks locks() {
        return locks;
    }

    /** Returns the driver clients that use the same route. */
    DriverClients connection() {
        return detour.connection();
    }

    FaultProxy proxy() {
        return detour.proxy();
    }

    /** Closes the connection on the next commands of these names, before they are executed. */
    void closeConnection(int times, List<String> commands) {
        inject(times, commands, WireFault.loseRequest());
    }

    /** Refuses the next commands of these names with an error code, before they are executed. */
    void refuse(int times, int code, List<String> commands) {
        inject(times, commands, WireFault.refuse(code));
    }

    /** Executes the next commands of these names, and adds a write concern error to their replies. */
    void doubt(int times, List<String> commands) {
        inject(times, commands, WireFault.doubtDurability(64));
    }

    /** Holds all commands of these names until the faults end. */
    void stall(List<String> commands) {
        inject(FaultContext.ALWAYS, commands, WireFault.holdRequest());
    }

    /** Injects a fault into the next command of these names. */
    FaultRule trapNext(List<String> commands, WireFault fault) {
        return detour.proxy().arm(CommandMatcher.atNext(commands), fault);
    }

    /** Occupies every connection of the driver's pool until the trap is released. */
    FaultRule useUpConnections() throws InterruptedException {
        FaultRule busy =
                detour.proxy().arm(CommandMatcher.atAll(List.of("ping")), WireFault.holdReply(WireFault.none()));
        BsonDocument ping = new BsonDocument("ping", new BsonInt32(1));
        for (int i = 0; i < ProxyRoute.POOL; i++) {
            BackgroundTask.run(() -> connection().sync().getDatabase("admin").runCommand(ping));
            Mono.from(connection().reactive().getDatabase("admin").runCommand(ping))
                    .subscribe();
        }
        busy.awaitCaught(2 * ProxyRoute.POOL);
        return busy;
    }

    /** Returns a latch that counts down when the client next sends a command of one of these names. */
    CountDownLatch nextSent(List<String> commands) {
        return connection().sent().nextSent(1, command -> commands.contains(command.getCommandName()));
    }

    /** Ends the faults; the client remains usable. */
    void heal() {
        detour.proxy().heal();
    }

    /** Cuts the connection for good, like a killed process; the client is not notified. */
    void die() {
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
