package org.mongolocks.benchmarks.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.server.TargetServer;

/** A process that holds locks, as seen by the parent that kills it. */
public final class KilledHolderProcess implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Process process;
    private final int holders;
    private final BlockingQueue<String> words = new LinkedBlockingQueue<>();
    private boolean isStopped;

    private KilledHolderProcess(Process process, int holders) {
        this.process = process;
        this.holders = holders;
        Thread listener = new Thread(this::listen, "holder-process");
        listener.setDaemon(true);
        listener.start();
    }

    /**
     * Starts the process and waits until it holds all locks.
     *
     * @throws LockException if it does not report that in time
     */
    static KilledHolderProcess start(
            RunEnvironment environment, List<LockImplementation> contenders, String lock, Duration ttl)
            throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                KilledHolderMain.class.getName(),
                lock,
                String.valueOf(ttl.toMillis())));
        contenders.forEach(contender -> command.add(KilledHolderMain.argument(contender, environment)));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put(TargetServer.URI_VARIABLE, environment.uri());
        KilledHolderProcess started = new KilledHolderProcess(begin(builder), contenders.size());
        try {
            started.expect(KilledHolderMain.HELD);
            return started;
        } catch (LockException e) {
            started.close();
            throw e;
        }
    }

    public void kill() {
        process.destroyForcibly();
    }

    /** Suspends the process, as if its machine had been suspended. */
    public void stop() throws InterruptedException {
        signal("-STOP");
        isStopped = true;
    }

    /** Resumes a suspended process and waits until it has reported the loss of every lock. */
    void awaitEnd() throws InterruptedException {
        if (isStopped) {
            signal("-CONT");
            for (int lost = 0; lost < holders; lost++) {
                expect(KilledHolderMain.LOST);
            }
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void expect(String word) throws InterruptedException {
        String found = words.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        if (!word.equals(found)) {
            throw new LockException("The holder process must print '" + word + "' within " + TIMEOUT + ", printed "
                    + (found == null ? "nothing" : "'" + found + "'"));
        }
    }

    private void signal(String signal) throws InterruptedException {
        int status = begin(new ProcessBuilder("kill", signal, String.valueOf(process.pid())))
                .waitFor();
        if (status != 0) {
            throw new LockException("'kill " + signal + "' failed with status " + status);
        }
    }

    private void listen() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            lines.lines().forEach(words::add);
        } catch (IOException e) {
            words.add(e.toString());
        }
    }

    private static Process begin(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new LockException("The holder process could not be started: " + e.getMessage(), e);
        }
    }
}
