package org.mongolocks.doctor;

import com.mongodb.MongoException;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.mongolocks.doctor.check.Check;
import org.mongolocks.doctor.check.Deployment;
import org.mongolocks.reporting.ProgramArguments;
import org.mongolocks.reporting.server.Target;
import org.mongolocks.spi.LockStrategy;

/**
 * A program that checks a deployment and prints which guarantees of the locks hold there; {@code ./doctor} starts it.
 * Its exit status is
 *
 * <ul>
 *   <li>0 if no guarantee is known not to hold;
 *   <li>1 if a guarantee does not hold;
 *   <li>2 if the arguments are invalid, or no server replies: one line says why.
 * </ul>
 */
public final class Doctor {
    private static final int ALL_HOLD = 0;
    private static final int BROKEN = 1;
    private static final int UNUSABLE = 2;
    private static final long CLEAN_UP_SECONDS = 15;
    /**
     * Log messages of locks and drivers are part of the findings. The reference is needed because an unreferenced
     * logger forgets its level.
     */
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");

    private static final String DRIVERS = "org.slf4j.simpleLogger.defaultLogLevel";

    private Doctor() {}

    /**
     * Runs the program. When the process is terminated, it drops its scratch collections first.
     *
     * @param arguments see the file {@code usage.txt}
     */
    public static void main(String[] arguments) {
        LOCKS.setLevel(Level.OFF);
        System.setProperty(DRIVERS, System.getProperty(DRIVERS, "off"));
        Thread main = Thread.currentThread();
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(main, ended), "doctor-clean-up"));
        int status = UNUSABLE;
        try {
            status = run(System.out, System.err, arguments);
        } catch (InterruptedException e) {
            System.err.println("doctor: interrupted; its scratch collections are dropped");
        } finally {
            ended.countDown();
        }
        System.exit(status);
    }

    /** Checks, prints and returns the exit status. The scratch collections are dropped when this returns or throws. */
    static int run(PrintStream out, PrintStream err, String... arguments) throws InterruptedException {
        try {
            DoctorOptions options = DoctorOptions.parse(arguments);
            if (options.help()) {
                out.print(ProgramArguments.usage(Doctor.class, "usage.txt"));
                return ALL_HOLD;
            }
            Diagnosis diagnosis = diagnose(options);
            out.print(options.json() ? JsonReport.of(diagnosis) : DoctorText.of(diagnosis));
            return diagnosis.holds() ? ALL_HOLD : BROKEN;
        } catch (IllegalArgumentException e) {
            return refused(String.valueOf(e.getMessage()), err);
        } catch (MongoException e) {
            return refused("no server answers as MongoDB does: " + e.getMessage(), err);
        }
    }

    private static Diagnosis diagnose(DoctorOptions options) throws InterruptedException {
        String database = options.database();
        Optional<String> collection = options.collection();
        List<LockStrategy> strategies = options.strategies();
        try (Target target = Target.of(Optional.of(options.uri()))) {
            return diagnose(Deployment.connect(target.connectionString(), database, collection, strategies));
        }
    }

    private static Diagnosis diagnose(Deployment deployment) throws InterruptedException {
        try {
            return Diagnosis.of(deployment, Check.all());
        } finally {
            // The scratch collections are dropped even after an interrupt.
            boolean interrupted = Thread.interrupted();
            deployment.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void end(Thread main, CountDownLatch ended) {
        main.interrupt();
        try {
            if (!ended.await(CLEAN_UP_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("doctor: could not drop its scratch collections; their names begin with"
                        + " mongo_locks_doctor_");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The message is one line, whatever the arguments are. */
    private static int refused(String why, PrintStream err) {
        err.println("doctor: " + why.replaceAll("\\p{Cntrl}+", " "));
        return UNUSABLE;
    }
}
