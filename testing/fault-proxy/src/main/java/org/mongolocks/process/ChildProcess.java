package org.mongolocks.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A child process, which exchanges lines of text with its parent through its standard input and output. Its standard
 * error is kept for messages about failures. The program of the child exits when its input ends, and so with its parent.
 */
public final class ChildProcess implements AutoCloseable {
    private static final int MAX_TAIL = 600;
    private static final int TIMEOUT_SECONDS = 10;
    /** Many processes start at once, and most of them end before optimized code would pay. */
    private static final List<String> OPTIONS =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:+DisplayVMOutputToStderr");
    /** Continues the process at the end of its own input, even if this JVM has exited. */
    private static final String SUSPEND = "kill -STOP \"$0\" && echo stopped; read -r end; kill -CONT \"$0\"";

    private final Process process;
    private final PrintStream input;
    private final Path errors;
    private @Nullable Process suspension;

    /** Receives what a child writes, on a thread of its own. */
    public interface Listener {
        /** Called with each line. */
        void received(String line);

        /** Called when the output of the child has ended. */
        void ended();
    }

    private ChildProcess(Process process, Path errors) {
        this.process = process;
        this.input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.errors = errors;
    }

    /**
     * Starts a JVM like this one. Does not wait until it is ready.
     *
     * @param program the main class
     * @param options options of the JVM, in addition to those for small processes
     * @param arguments the arguments of the program
     * @param environment environment variables, in addition to those of this process
     */
    public static ChildProcess start(
            Class<?> program, List<String> options, List<String> arguments, Map<String, String> environment) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OPTIONS);
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(arguments);
        return start(command, environment);
    }

    /** Starts a program. */
    public static ChildProcess start(List<String> command, Map<String, String> environment) {
        try {
            Path errors = Files.createTempFile("mongo-locks-process", ".log");
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
            builder.environment().putAll(environment);
            return new ChildProcess(builder.start(), errors);
        } catch (IOException e) {
            throw new UncheckedIOException("A process could not be started: " + e.getMessage(), e);
        }
    }

    /** Begins to read the output of the child. Called once. */
    public void listen(Listener listener) {
        Thread thread = new Thread(() -> read(listener), "child-process");
        thread.setDaemon(true);
        thread.start();
    }

    private void read(Listener listener) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                listener.received(line);
            }
        } catch (IOException e) {
            // The stream was closed, which the end of the process says too.
        }
        listener.ended();
    }

    /** Writes a line. Without effect if the process has ended. Thread-safe. */
    public void send(String line) {
        input.println(line);
    }

    /** Ends the input of the process, as the end of its parent does. */
    public void endInput() {
        input.close();
    }

    /** Returns whether the process ends within a time. */
    public boolean endsWithin(Duration limit) throws InterruptedException {
        return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Returns the end of its standard error in one line. */
    public String errors() {
        try {
            String text =
                    Files.readString(errors, StandardCharsets.UTF_8).strip().replaceAll("\\s+", " ");
            return text.length() > MAX_TAIL ? "..." + text.substring(text.length() - MAX_TAIL) : text;
        } catch (IOException e) {
            return "";
        }
    }

    /** Kills the process. What it has written before is still read: {@code Process.destroyForcibly} would discard it. */
    public void kill() {
        process.toHandle().destroyForcibly();
    }

    /** Suspends the process with a signal, as if its machine had been suspended, until {@link #resume}. */
    public synchronized void suspend() {
        try {
            Process shell = new ProcessBuilder("sh", "-c", SUSPEND, Long.toString(process.pid()))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8));
            if (!"stopped".equals(answer.readLine())) {
                shell.destroyForcibly();
                throw new IllegalStateException("Process " + process.pid() + " could not be suspended");
            }
            suspension = shell;
        } catch (IOException e) {
            throw new UncheckedIOException("No shell was found to suspend a process", e);
        }
    }

    /** Returns whether the process is suspended. */
    public synchronized boolean isSuspended() {
        return suspension != null;
    }

    /** Continues the process if it is suspended. */
    public synchronized void resume() throws InterruptedException {
        Process shell = suspension;
        suspension = null;
        if (shell != null) {
            try {
                shell.getOutputStream().close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            if (!shell.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                shell.destroyForcibly();
                throw new IllegalStateException("Process " + process.pid() + " could not be continued");
            }
        }
    }

    /** Kills the process, and waits for its end. */
    @Override
    public void close() {
        kill();
        try {
            process.waitFor();
            resume();
            input.close();
            Files.deleteIfExists(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
