package org.mongolocks.benchmarks.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.workload.ProcessContention.ClientCounts;
import org.mongolocks.spi.LockStrategy;

/**
 * Processes that contend for one lock, each with one thread and a client of its own. They are started when they are
 * first needed, and serve one contention after another.
 */
public final class ContendingProcesses implements AutoCloseable {
    /** How many processes start and connect at once: more would wait for a processor until their commands fail. */
    private static final int STEP = 2 * Runtime.getRuntime().availableProcessors();

    /** The extra time to wait until each process has had the lock once. */
    private static final Duration MAX_GATHERING = Duration.ofSeconds(30);

    private final RunEnvironment environment;
    private final List<ClientProcess> processes = new ArrayList<>();

    public ContendingProcesses(RunEnvironment environment) {
        this.environment = environment;
    }

    /**
     * Contends for a new lock. Counting begins when each process has had it once, or after half a minute.
     *
     * @param number the number of processes
     * @param time how long to count
     * @throws LockException if a process fails; all processes are ended then
     */
    public ProcessContention contend(int number, LockStrategy strategy, Client client, Duration time)
            throws InterruptedException {
        try {
            List<ClientProcess> some = prepare(
                    number,
                    String.join(
                            " ",
                            ClientMain.PREPARE,
                            client.name(),
                            strategy.name(),
                            environment.name(strategy.name()),
                            "contended-" + UUID.randomUUID()));
            gather(some);
            return count(some, time);
        } catch (LockException e) {
            close();
            throw e;
        }
    }

    @Override
    public void close() {
        processes.forEach(ClientProcess::close);
        processes.clear();
    }

    /** Starts the processes that are missing, and prepares all of them. */
    private List<ClientProcess> prepare(int number, String line) throws InterruptedException {
        for (int from = 0; from < number; from += STEP) {
            List<ClientProcess> step = started(from, Math.min(number, from + STEP));
            step.forEach(process -> process.send(line));
            for (ClientProcess process : step) {
                process.await(ClientMain.READY);
            }
        }
        return started(0, number);
    }

    private List<ClientProcess> started(int from, int to) {
        while (processes.size() < to) {
            processes.add(ClientProcess.start(environment));
        }
        return List.copyOf(processes.subList(from, to));
    }

    private static void gather(List<ClientProcess> some) throws InterruptedException {
        some.forEach(process -> process.send(ClientMain.CONTEND));
        long deadlineNanos = System.nanoTime() + MAX_GATHERING.toNanos();
        for (ClientProcess process : some) {
            process.await(ClientMain.GRANTED, deadlineNanos);
        }
    }

    private static ProcessContention count(List<ClientProcess> some, Duration time) throws InterruptedException {
        long fromNanos = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
        long toNanos = System.nanoTime();
        some.forEach(process -> process.send(ClientMain.STOP + " " + fromNanos + " " + toNanos));
        List<ClientCounts> counts = new ArrayList<>();
        for (ClientProcess process : some) {
            counts.add(ClientCounts.of(process.await(ClientMain.COUNTED)));
        }
        return ProcessContention.of(counts, (toNanos - fromNanos) / 1e9);
    }
}
