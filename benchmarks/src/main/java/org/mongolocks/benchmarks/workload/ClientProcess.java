package org.mongolocks.benchmarks.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.server.TargetServer;

/**
 * A process with lock clients of its own, as seen by the parent that directs it. Both write lines of text, which begin
 * with a word. The process exits when its standard input ends, and so with its parent.
 */
public final class ClientProcess implements AutoCloseable {
    /** The word of a process that failed, followed by the reason. Its process has ended or ends soon. */
    static final String FAILED = "failed";

    /** The start of a process included, on a busy machine. */
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** Many processes start at once, and most of them end before optimized code would pay. */
    private static final List<String> JVM = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Process process;
    private final PrintStream commands;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private boolean isSuspended;

    private ClientProcess(Process process) {
        this.process = process;
        this.commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread listener = new Thread(this::listen, "client-process");
        listener.setDaemon(true);
        listener.start();
    }

    /**
     * Starts a process with the class path and the server of this one. Does not wait until it is ready.
     *
     * @param program the main class
     * @throws LockException if it cannot be started
     */
    static ClientProcess start(RunEnvironment environment, Class<?> program, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put(TargetServer.URI_VARIABLE, environment.uri());
        return new ClientProcess(begin(builder));
    }

    /** Writes a line. Without effect if the process has ended, which the next {@link #await} reports. */
    void send(String line) {
        commands.println(line);
    }

    /**
     * Waits for a line with this first word, and skips others.
     *
     * @return the rest of the line
     * @throws LockException if the process fails, or does not write it in time
     */
    String await(String word) throws InterruptedException {
        return await(word, System.nanoTime() + TIMEOUT.toNanos())
                .orElseThrow(() -> new LockException("A client process must print '" + word + "' within " + TIMEOUT));
    }

    /**
     * Waits for a line with this first word, and skips others.
     *
     * @return the rest of the line; empty if the process does not write it until the deadline
     * @throws LockException if the process fails
     */
    Optional<String> await(String word, long deadlineNanos) throws InterruptedException {
        Optional<String> line;
        do {
            line = Optional.ofNullable(lines.poll(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS));
            line.flatMap(read -> rest(read, FAILED)).ifPresent(ClientProcess::fail);
        } while (line.isPresent() && rest(line.get(), word).isEmpty());
        return line.flatMap(read -> rest(read, word));
    }

    public void kill() {
        process.destroyForcibly();
    }

    /** Suspends the process, as if its machine had been suspended. */
    public void suspend() throws InterruptedException {
        signal("-STOP");
        isSuspended = true;
    }

    boolean isSuspended() {
        return isSuspended;
    }

    void resume() throws InterruptedException {
        signal("-CONT");
        isSuspended = false;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private static Optional<String> rest(String line, String word) {
        return line.equals(word) || line.startsWith(word + " ")
                ? Optional.of(line.substring(word.length()).strip())
                : Optional.empty();
    }

    private static void fail(String reason) {
        throw new LockException("A client process failed: " + reason);
    }

    private void signal(String signal) throws InterruptedException {
        int status = begin(new ProcessBuilder("kill", signal, String.valueOf(process.pid())))
                .waitFor();
        if (status != 0) {
            throw new LockException("'kill " + signal + "' failed with status " + status);
        }
    }

    private void listen() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            reader.lines().forEach(lines::add);
            lines.add(FAILED + " it has ended");
        } catch (IOException | UncheckedIOException e) {
            lines.add(FAILED + " " + e);
        }
    }

    private static Process begin(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new LockException("A client process could not be started: " + e.getMessage(), e);
        }
    }
}
