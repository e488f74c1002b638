package org.mongolocks.benchmarks.workload;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.driver.Driver;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.server.TargetServer;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.spi.LockStrategies;

/**
 * The main class of a process that acquires locks, keeps them alive, and is killed by its parent. It prints a line when
 * it holds all locks, and a line for each lost lock.
 */
public final class KilledHolderMain {
    static final String HELD = "held";
    static final String LOST = "lost";

    private static final String SEPARATOR = "/";

    /** The handles of the locks: a lock whose handle is forgotten is released. */
    private static final List<BlockingLock> HANDLES = new CopyOnWriteArrayList<>();

    private final TargetServer server = TargetServer.ofEnvironment();
    private final String lock;
    private final Duration ttl;

    private KilledHolderMain(String lock, Duration ttl) {
        this.lock = lock;
        this.ttl = ttl;
    }

    /** Returns the argument that makes the process acquire a lock under test. */
    static String argument(LockImplementation contender, RunEnvironment environment) {
        return contender.client() + SEPARATOR + contender.id() + SEPARATOR + environment.name(contender.id());
    }

    /** Returns the name of the lock: the two clients of a strategy share a collection. */
    static String name(String lock, Client client) {
        return lock + "-" + client.id();
    }

    /**
     * Runs the process. The arguments are the lock name, the ttl in milliseconds, and then for each lock its client,
     * strategy and collection.
     */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        KilledHolderMain holder = new KilledHolderMain(arguments[0], Duration.ofMillis(Long.parseLong(arguments[1])));
        try {
            for (String argument : Arrays.asList(arguments).subList(2, arguments.length)) {
                holder.hold(List.of(argument.split(SEPARATOR, 3)));
            }
        } catch (RuntimeException e) {
            // The threads of the driver would keep the process alive, and the parent would wait for nothing.
            System.out.println(ClientProcess.FAILED + " " + e);
            Runtime.getRuntime().halt(1);
        }
        System.out.println(HELD);
        while (System.in.read() >= 0) {
            // The input carries no data; its end ends the process.
        }
        Runtime.getRuntime().halt(0);
    }

    private void hold(List<String> words) throws InterruptedException {
        Client client = Client.valueOf(words.get(0));
        LockRequest request = LockRequest.of(name(lock, client), ttl);
        Driver driver = Driver.open(client, server.settings().build(), RunEnvironment.DATABASE);
        BlockingLock held = driver.locks(LockStrategies.named(words.get(1)), words.get(2))
                .tryAcquire(request)
                .orElseThrow(() -> new LockException("A free lock was not granted"));
        HANDLES.add(held);
        held.onLost((lease, reason) -> System.out.println(LOST));
    }
}
