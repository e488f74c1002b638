package org.mongolocks.contract.soak;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.bson.Document;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;

/**
 * A program that runs many clients of all strategies under random faults; {@code ./soak} starts it. Its exit status is
 *
 * <ul>
 *   <li>0 if there was no violation;
 *   <li>1 if there was a violation;
 *   <li>2 if the arguments, or the server that they name, cannot be used; one line of output gives the reason;
 *   <li>3 if this program failed.
 * </ul>
 */
final class Soak {
    private static final int SOUND = 0;
    private static final int BROKEN = 1;
    private static final int UNUSABLE = 2;
    private static final int BUG = 3;

    /** The server is in the measured heap, and its oplog would grow for a while. */
    private static final int SHORT_OPLOG = 1_000;

    /**
     * Kept in a field, because a logger without a reference loses its level. Its messages about faults are expected
     * here.
     */
    private static final Logger EXPECTED = Logger.getLogger("org.mongolocks");

    private final PrintStream out;
    private final PrintStream err;

    Soak(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public static void main(String[] arguments) {
        EXPECTED.setLevel(Level.OFF);
        int status = BUG;
        try {
            status = new Soak(System.out, System.err).run(arguments);
        } catch (RuntimeException | InterruptedException e) {
            e.printStackTrace(System.err);
        }
        System.exit(status);
    }

    /** Runs as the arguments say, and returns the exit status. */
    int run(String... arguments) throws InterruptedException {
        if (Arrays.asList(arguments).contains("--help")
                || Arrays.asList(arguments).contains("-h")) {
            out.print(usage());
            return SOUND;
        }
        try {
            return soak(SoakOptions.parse(arguments));
        } catch (SoakOptions.UnusableException e) {
            err.println("soak: " + e.getMessage());
            return UNUSABLE;
        }
    }

    static String usage() {
        try (InputStream file = Soak.class.getResourceAsStream("usage.txt")) {
            return new String(Objects.requireNonNull(file, "usage.txt").readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int soak(SoakOptions options) throws InterruptedException, SoakOptions.UnusableException {
        if (options.uri().isPresent()) {
            requireServer(options.uri().get());
            return soak(options, options.uri().get());
        }
        try (EmbeddedMongo mongo =
                EmbeddedMongo.builder().oplogCapacity(SHORT_OPLOG).start()) {
            return soak(options, mongo.connectionString());
        }
    }

    private int soak(SoakOptions options, String uri) throws InterruptedException {
        List<LockStrategy> strategies = LockStrategies.all();
        out.println("Soaking " + strategies.size() + " strategies for "
                + options.length().toMinutes()
                + " min on " + (options.uri().isPresent() ? "the server of --uri" : "the embedded server")
                + ", --seed " + options.seed());
        SoakPlan plan = new SoakPlan(options.length(), options.seed(), strategies);
        Findings findings = new SoakRun(plan, uri, out).run();
        findings.counts().forEach((what, count) -> out.printf("%,10d  %s%n", count, what));
        findings.firstViolations().forEach(violation -> out.println("VIOLATION: " + violation));
        out.println(findings.violations() + " violations");
        return findings.violations() == 0 ? SOUND : BROKEN;
    }

    private static void requireServer(String uri) throws SoakOptions.UnusableException {
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(5, TimeUnit.SECONDS))
                .build();
        try (MongoClient mongo = MongoClients.create(settings)) {
            mongo.getDatabase("admin").runCommand(new Document("ping", 1));
        } catch (MongoException e) {
            throw new SoakOptions.UnusableException("no server answers at --uri");
        }
    }
}
