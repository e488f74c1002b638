package org.mongolocks.study.process.parent;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.mongolocks.study.process.child.ChildMain;
import org.mongolocks.study.process.message.ChildMessage.Clocks;
import org.mongolocks.study.process.observer.RunFailedException;

/** The JVM of a child. */
public final class ChildProcess implements AutoCloseable {
    private static final int MAX_TAIL = 600;
    /** Small heap and fast start: a run needs several processes, and the machine may have few processors. */
    private static final List<String> OPTIONS = List.of(
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");

    private final Clocks started;
    private final int number;
    private final Process process;
    private final Path output;

    private ChildProcess(int number, Clocks started, Process process, Path output) {
        this.started = started;
        this.number = number;
        this.process = process;
        this.output = output;
    }

    /** Starts a child, which then connects to a port. */
    public static ChildProcess start(int number, int port, Map<String, String> environment) {
        return start(number, command(number, port), environment);
    }

    static ChildProcess start(int number, List<String> command, Map<String, String> environment) {
        try {
            Path output = Files.createTempFile("mongo-locks-study", ".log");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            // Read before the start, because the child may read its clock before start() returns.
            Clocks started = Clocks.now();
            return new ChildProcess(number, started, builder.start(), output);
        } catch (IOException e) {
            throw new RunFailedException("A process could not be started", e);
        }
    }

    private static List<String> command(int number, int port) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(OPTIONS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(ChildMain.class.getName(), Integer.toString(port), Integer.toString(number)));
        return command;
    }

    public int number() {
        return number;
    }

    public Clocks started() {
        return started;
    }

    public long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void kill() {
        process.destroyForcibly();
    }

    public boolean endsWithin(Duration limit) throws InterruptedException {
        return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Returns the end of its output in one line, for error messages. */
    String printed() {
        try {
            String text =
                    Files.readString(output, StandardCharsets.UTF_8).strip().replaceAll("\\s+", " ");
            return text.length() > MAX_TAIL ? "..." + text.substring(text.length() - MAX_TAIL) : text;
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        kill();
        try {
            process.waitFor();
            Files.deleteIfExists(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
