package org.mongolocks.benchmarks.scenario;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.bson.Document;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.driver.DriverAdapter;
import org.mongolocks.benchmarks.driver.RawCommands;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.ShedLockLock;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.RunSummary;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.sampling.Samples.Operation;
import org.mongolocks.benchmarks.server.TargetServer;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.spi.LockStrategies;

/**
 * The main class of a process that acquires and releases one lock from its start on, and prints what it cost. The
 * arguments are the client, the contender, the collection, and the numbers of acquisitions after which the costs are
 * read.
 */
public final class ColdStartMain {
    /** The reading when a command was answered, before the client of the lock is built. */
    static final long CONNECTED = -1;

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** The ttl is longer than the process runs. */
    private static final LockRequest REQUEST = LockRequest.of("cold", Duration.ofHours(2));

    /**
     * The costs at one moment.
     *
     * @param acquisitions the number of acquisitions so far, or {@link #CONNECTED}
     * @param cpuNanos the processor time of the process so far, in nanoseconds
     * @param nanos the time, by {@link System#nanoTime()}
     */
    record Reading(long acquisitions, long cpuNanos, long nanos) {
        private static final String SEPARATOR = ":";

        static Reading now(long acquisitions) {
            return new Reading(acquisitions, SYSTEM.getProcessCpuTime(), System.nanoTime());
        }

        static Reading of(String word) {
            long[] numbers = Arrays.stream(word.split(SEPARATOR, -1))
                    .mapToLong(Long::parseLong)
                    .toArray();
            return new Reading(numbers[0], numbers[1], numbers[2]);
        }

        String word() {
            return acquisitions + SEPARATOR + cpuNanos + SEPARATOR + nanos;
        }
    }

    private ColdStartMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        List<String> words = List.of(arguments);
        try {
            List<Long> stops = words.stream().skip(3).map(Long::valueOf).toList();
            System.out.println(run(Client.valueOf(words.get(0)), words.get(1), words.get(2), stops).stream()
                    .map(Reading::word)
                    .collect(Collectors.joining(" ")));
        } catch (RuntimeException e) {
            System.out.println(e);
            Runtime.getRuntime().halt(1);
        }
        // The threads of the driver would keep the process alive.
        Runtime.getRuntime().halt(0);
    }

    private static List<Reading> run(Client client, String contender, String collection, List<Long> stops)
            throws InterruptedException {
        List<Reading> readings = new ArrayList<>();
        Operation operation = contender.equals(ShedLockLock.ID)
                ? shedLock(collection, readings)
                : ofDriver(client, contender, collection, readings);
        readings.add(Reading.now(0));
        long acquisitions = 0;
        for (long stop : stops) {
            for (; acquisitions < stop; acquisitions++) {
                operation.run();
            }
            readings.add(Reading.now(stop));
        }
        return readings;
    }

    private static Operation ofDriver(Client client, String contender, String collection, List<Reading> readings)
            throws InterruptedException {
        DriverAdapter driver = DriverAdapter.open(client, settings(), RunEnvironment.DATABASE);
        RawCommands raw = driver.raw(Baseline.DURABLE, collection);
        raw.ping();
        readings.add(Reading.now(CONNECTED));
        if (contender.equals(RunSummary.BASELINE)) {
            return () -> Baseline.TWO_FIND_AND_MODIFY.run(raw);
        }
        BlockingLocks locks = driver.locks(LockStrategies.named(contender), collection);
        return () -> {
            if (!locks.tryAcquire(REQUEST).orElseThrow().release()) {
                throw new LockException("An uncontended lock had been lost when it was released");
            }
        };
    }

    private static Operation shedLock(String collection, List<Reading> readings) {
        MongoDatabase database = MongoClients.create(settings()).getDatabase(RunEnvironment.DATABASE);
        database.runCommand(new Document("ping", 1));
        readings.add(Reading.now(CONNECTED));
        BenchmarkParticipant locks = ShedLockLock.participant(database.getCollection(collection));
        return () -> locks.acquire(REQUEST).orElseThrow().release();
    }

    private static MongoClientSettings settings() {
        return TargetServer.ofEnvironment().settings().build();
    }
}
