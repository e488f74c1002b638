package org.mongolocks.embedded.internal.program;

import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.embedded.internal.program.ProgramOptions.BadArgument;
import org.mongolocks.embedded.internal.state.ServerVersion;

/** Runs the server until the process is terminated. */
public final class ServerProgram {
    static final int OK = 0;
    static final int BAD_ARGUMENTS = 2;

    private static final String NAME = "mongo-locks-embedded-mongodb";
    private static final String USAGE = """
            Usage: java -jar %s-server.jar [options]

            A MongoDB in memory, for tests and demos, on the loopback address.

              --port <n>                 where to listen; 0 for any free port (default %d)
              --mongodb-version <v>      which version to answer as: %s (default %s)
              --standalone               no replica set: no transactions, no change streams
              --router                   a router of a sharded cluster
              --ttl-monitor-seconds <n>  how often expired documents are deleted (default %d)
              --help                     shows this
            """.formatted(
                    NAME,
                    ProgramOptions.DEFAULT_PORT,
                    ServerVersion.names(),
                    ServerVersion.V4_4.release(),
                    ProgramOptions.DEFAULT_TTL_SECONDS);

    private final PrintStream out;
    private final PrintStream err;
    private final Waiter waiter;

    /** Lets a server run for as long as it shall. */
    @FunctionalInterface
    interface Waiter {
        void await(EmbeddedMongo server) throws InterruptedException;
    }

    ServerProgram(PrintStream out, PrintStream err, Waiter waiter) {
        this.out = out;
        this.err = err;
        this.waiter = waiter;
    }

    public static void main(String... arguments) throws InterruptedException {
        int status = new ServerProgram(System.out, System.err, ServerProgram::awaitSignal).run(arguments);
        System.exit(status);
    }

    private static void awaitSignal(EmbeddedMongo server) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "embedded-mongo-shutdown"));
        new CountDownLatch(1).await();
    }

    /** Runs the program; its exit status. */
    int run(String... arguments) throws InterruptedException {
        try {
            ProgramOptions options = ProgramOptions.parse(arguments);
            if (options.isHelp()) {
                out.print(USAGE);
                return OK;
            }
            serve(options);
            return OK;
        } catch (BadArgument | UncheckedIOException e) {
            err.println(NAME + ": " + e.getMessage());
            return BAD_ARGUMENTS;
        }
    }

    private void serve(ProgramOptions options) throws InterruptedException {
        EmbeddedMongo.Builder builder = EmbeddedMongo.builder()
                .port(options.port())
                .version(options.version().release())
                .ttlMonitorSeconds(options.ttlMonitorSeconds());
        if (options.isStandalone()) {
            builder.standalone();
        }
        if (options.isRouter()) {
            builder.router();
        }
        try (EmbeddedMongo server = builder.start()) {
            out.println("ready: " + server.connectionString());
            out.flush();
            waiter.await(server);
        }
    }
}
