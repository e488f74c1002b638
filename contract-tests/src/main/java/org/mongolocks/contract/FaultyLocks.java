package org.mongolocks.contract;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.mongolocks.proxy.Aim;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.proxy.Trap;
import org.mongolocks.proxy.WireFault;
import reactor.core.publisher.Mono;

/** Has a client and the faults that hit it alone: it reaches the server through a proxy of its own. */
public final class FaultyLocks implements AutoCloseable {
    static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final BlockingLocks locks;
    private final Detour detour;

    FaultyLocks(BlockingLocks locks, Detour detour) {
        this.locks = locks;
        this.detour = detour;
    }

    /** Builds a client on a way of its own, once its driver is connected: it may be in a hurry. */
    static FaultyLocks on(Detour detour, Driver driver, Driver.Setup setup) throws InterruptedException {
        driver.connect(detour.connection());
        return new FaultyLocks(driver.build(detour.connection(), LockContract.DATABASE, setup), detour);
    }

    Duration closeTimeout() {
        return CLOSE_TIMEOUT;
    }

    BlockingLocks locks() {
        return locks;
    }

    /** Gives the clients of the driver that go the same way. */
    Connection connection() {
        return detour.connection();
    }

    FaultProxy proxy() {
        return detour.proxy();
    }

    /** Has the next commands of these names closed off before they are executed. */
    void closeConnection(int times, List<String> commands) {
        inject(times, commands, WireFault.loseRequest());
    }

    /** Has the next commands of these names refused with a code before they are executed. */
    void refuse(int times, int code, List<String> commands) {
        inject(times, commands, WireFault.refuse(code));
    }

    /** Has the next commands of these names executed, and answered with a doubt about their durability. */
    void doubt(int times, List<String> commands) {
        inject(times, commands, WireFault.doubtDurability(64));
    }

    /** Has all commands of these names wait until the faults end. */
    void stall(List<String> commands) {
        inject(FaultSetting.ALWAYS, commands, WireFault.holdRequest());
    }

    /** Has the next command of these names suffer a fault. */
    Trap trapNext(List<String> commands, WireFault fault) {
        return detour.proxy().arm(Aim.atNext(commands), fault);
    }

    /** Has the user of the driver occupy every connection, until the trap is released. */
    Trap useUpConnections() throws InterruptedException {
        Trap busy = detour.proxy().arm(Aim.atAll(List.of("ping")), WireFault.holdReply(WireFault.none()));
        BsonDocument ping = new BsonDocument("ping", new BsonInt32(1));
        for (int i = 0; i < Detour.POOL; i++) {
            Background.run(() -> connection().sync().getDatabase("admin").runCommand(ping));
            Mono.from(connection().reactive().getDatabase("admin").runCommand(ping))
                    .subscribe();
        }
        busy.awaitCaught(2 * Detour.POOL);
        return busy;
    }

    /** Counts down when the client next sends a command of one of these names. */
    CountDownLatch nextSent(List<String> commands) {
        return connection().sent().nextSent(1, command -> commands.contains(command.getCommandName()));
    }

    /** Ends the faults. The client goes on. */
    void heal() {
        detour.proxy().heal();
    }

    /** Loses the connection for good, as a process that is killed; the client is not told. */
    void die() {
        connection().close();
    }

    /** Ends the faults, the client and then the connection. */
    @Override
    public void close() {
        heal();
        locks.close();
        detour.close();
    }

    /** Takes the place of the faults before. */
    private void inject(int times, List<String> commands, WireFault fault) {
        heal();
        detour.proxy().arm(new Aim(Set.copyOf(commands), 0, times), fault);
    }
}
