package org.mongolocks.benchmarks.workload;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.process.ChildProcess;
import org.mongolocks.reporting.server.Target;

/**
 * A process with lock clients of its own, as seen by the parent that directs it. Both write lines of text, which begin
 * with a word. The process exits when its standard input ends, and so with its parent.
 */
public final class ClientProcess implements AutoCloseable {
    /** The word of a process that failed, followed by the reason. Its process has ended or ends soon. */
    static final String FAILED = "failed";

    /** The start of a process included, on a busy machine. */
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final ChildProcess process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private ClientProcess(ChildProcess process) {
        this.process = process;
        process.listen(new ChildProcess.Listener() {
            @Override
            public void received(String line) {
                lines.add(line);
            }

            @Override
            public void ended() {
                lines.add(FAILED + " it has ended. " + process.errors());
            }
        });
    }

    /** Starts {@link ClientMain} with the class path and the server of this process. Does not wait until it is ready. */
    static ClientProcess start(RunEnvironment environment) {
        Map<String, String> variables = Map.of(Target.URI_VARIABLE, environment.uri());
        return new ClientProcess(ChildProcess.start(ClientMain.class, List.of(), List.of(), variables));
    }

    /** Writes a line. Without effect if the process has ended, which the next {@link #await} reports. */
    void send(String line) {
        process.send(line);
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
        process.kill();
    }

    /** Suspends the process, as if its machine had been suspended. */
    public void suspend() {
        process.suspend();
    }

    boolean isSuspended() {
        return process.isSuspended();
    }

    void resume() throws InterruptedException {
        process.resume();
    }

    @Override
    public void close() {
        process.close();
    }

    private static Optional<String> rest(String line, String word) {
        return line.equals(word) || line.startsWith(word + " ")
                ? Optional.of(line.substring(word.length()).strip())
                : Optional.empty();
    }

    private static void fail(String reason) {
        throw new LockException("A client process failed: " + reason);
    }
}
