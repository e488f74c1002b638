package org.mongolocks.study;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bson.BsonDocumentWrapper;
import org.bson.Document;
import org.mongolocks.LockException;
import org.mongolocks.LockStorageException;
import org.mongolocks.reporting.Json;
import org.mongolocks.reporting.ProgramArguments;
import org.mongolocks.reporting.server.Target;
import org.mongolocks.study.process.ProcessRun;
import org.mongolocks.study.process.RunFailedException;
import org.mongolocks.study.process.RunPlan;
import org.mongolocks.study.process.RunResult;
import org.mongolocks.study.process.TestDatabase;
import org.mongolocks.study.report.StudyFiles;
import org.mongolocks.study.technique.Column;

/**
 * The main program of {@code ./soak}: many client processes under random faults for a long time. Its exit status is
 *
 * <ul>
 *   <li>0 if there was no violation and no leak;
 *   <li>1 if there was a violation or a leak;
 *   <li>2 if the arguments, or the server that they name, cannot be used; one line of output gives the reason;
 *   <li>3 if the run itself failed;
 *   <li>4 if nothing was found, but the machine was too busy to judge everything.
 * </ul>
 */
public final class SoakMain {
    private static final int SOUND = 0;
    private static final int VIOLATED = 1;
    private static final int BAD_ARGUMENTS = 2;
    private static final int FAILED = 3;
    private static final int NOT_JUDGED = 4;
    private static final String JSON = "soak.json";

    private SoakMain() {}

    /**
     * Runs the program.
     *
     * @param arguments see the file {@code soak-usage.txt}
     */
    public static void main(String[] arguments) {
        StudyMain.silenceLogs();
        System.exit(run(List.of(arguments), System.out, System.err));
    }

    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        if (ProgramOptions.askForHelp(arguments)) {
            out.print(ProgramArguments.usage(SoakMain.class, "soak-usage.txt"));
            return SOUND;
        }
        try {
            return soak(SoakOptions.parse(arguments), out, err);
        } catch (IllegalArgumentException | LockStorageException e) {
            err.println("soak: " + String.valueOf(e.getMessage()).replaceAll("\\p{Cntrl}", "?"));
            return BAD_ARGUMENTS;
        } catch (RunFailedException | MongoException | LockException | UncheckedIOException e) {
            err.println("soak: " + e.getMessage());
        } catch (InterruptedException e) {
            err.println("soak: interrupted");
        }
        return FAILED;
    }

    private static int soak(SoakOptions options, PrintStream out, PrintStream err) throws InterruptedException {
        RunPlan plan = options.plan();
        Optional<StudyFiles> files = options.out().map(StudyFiles::new);
        files.ifPresent(to -> to.prepare(List.of(JSON)));
        try (TestDatabase database = TestDatabase.at(options.uri().orElse(Target.EMBEDDED))) {
            if (database.isEncrypted()) {
                throw new IllegalArgumentException(
                        "--uri asks for TLS, which the proxy that injects faults cannot read");
            }
            String server = database.description();
            out.println(plan.clients() + " clients with "
                    + plan.techniques().stream().map(Column::name).collect(Collectors.joining(", "))
                    + " on " + server + " for " + plan.length().toMinutes() + " min, --seed " + plan.seed());
            Instant startedAt = Instant.now();
            long started = System.nanoTime();
            RunResult result = ProcessRun.soak(plan, database, line -> err.println("soak: " + line));
            Duration duration = Duration.ofNanos(System.nanoTime() - started);
            print(result, out);
            files.ifPresent(to -> to.write(JSON, json(plan, server, startedAt, duration, result)));
            if (result.isSound()) {
                return result.notJudged().isEmpty() ? SOUND : NOT_JUDGED;
            }
            return VIOLATED;
        }
    }

    /** Returns the plan and the result as the text of a file. */
    private static String json(RunPlan plan, String server, Instant startedAt, Duration duration, RunResult result) {
        Document file = new Document("format", 1)
                .append("server", server)
                .append("startedAt", startedAt.toString())
                .append("durationMillis", duration.toMillis())
                .append("clients", plan.clients())
                .append(
                        "strategies",
                        plan.techniques().stream().map(Column::name).toList())
                .append("seed", plan.seed());
        file.putAll(BsonDocumentWrapper.asBsonDocument(result, MongoClientSettings.getDefaultCodecRegistry()));
        return Json.indented(file) + "\n";
    }

    private static void print(RunResult result, PrintStream out) {
        print("Grants", result.grants(), out);
        print("Events", result.events(), out);
        print("Faults", result.faults(), out);
        result.faultsNotInjected().forEach((fault, why) -> out.println("Not injected: " + fault + ": " + why));
        print(
                "Not prevented by locks: late writes to data without a complete fence, orphaned transactions",
                result.expectedFindings(),
                out);
        result.firstViolations()
                .forEach(one ->
                        out.println("VIOLATION of " + one.technique() + ", lock " + one.lock() + ": " + one.text()));
        result.leaks().forEach(leak -> out.println("LEAK: " + leak));
        result.failures().forEach(failure -> out.println("ENDED EARLY: " + failure));
        result.notJudged().forEach(lock -> out.println("NOT JUDGED, the machine was too busy: " + lock));
        out.println(count(result.violations(), "violation") + ", "
                + count(result.leaks().size(), "leak"));
    }

    /** Returns a number of things in words. */
    static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private static void print(String title, Map<?, Long> counts, PrintStream out) {
        out.println(title + ":");
        counts.forEach((what, count) -> out.printf("%,10d  %s%n", count, what));
    }
}
