package org.mongolocks.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Stream;
import org.mongolocks.server.BackgroundTask.Eventually;

/** Finds what an application must not leave when it ends: errors in its log, and threads of this library. */
public final class Leftovers implements AutoCloseable {
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final Set<Thread> earlier = Set.copyOf(Thread.getAllStackTraces().keySet());

    /** Begins to collect what is written to the console, where the loggers of the tests write. */
    public Leftovers() {
        PrintStream collected = new PrintStream(log, true, StandardCharsets.UTF_8);
        System.setOut(collected);
        System.setErr(collected);
    }

    /** Fails if there is an error in the log, or if threads of this library do not end that began since. */
    public void assertNone() throws Exception {
        assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain(" ERROR ");
        assertNoThread();
    }

    /** Fails if threads of this library do not end that began since. */
    public void assertNoThread() throws Exception {
        Eventually.isTrue(
                "these end: " + threads().toList(), () -> threads().findAny().isEmpty());
    }

    private Stream<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !earlier.contains(thread) && thread.getName().startsWith("mongo-locks"));
    }

    /** Writes to the console what was collected. */
    @Override
    public void close() {
        System.setOut(out);
        System.setErr(err);
        out.print(log.toString(StandardCharsets.UTF_8));
    }
}
