package org.mongolocks.sync;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.function.Supplier;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.spi.Step;

/**
 * A runner of programs on a database of the user, on the calling thread: for steps of the SPI that are not locks. Collection
 * names in them are the names in the database.
 *
 * <pre>{@code
 * Reply reply = ProgramRunner.on(mongo, "app").run(() -> Step.call(op, Step::done));
 * }</pre>
 *
 * Each run has a session of its own. Whatever the settings of the driver's client are, writes are majority and
 * journalled, reads are from the primary, and each command has a time limit. Thread-safe; nothing has to be closed.
 */
public final class ProgramRunner {
    private final MongoClient mongo;
    private final String database;
    private final ClientRuns runs;
    private final DriverSessions driver;

    private ProgramRunner(MongoClient mongo, String database, Duration commandTimeout) {
        this.mongo = mongo;
        this.database = database;
        this.runs = ClientRuns.ofPrograms(commandTimeout, ConnectionShortage.of(mongo));
        this.driver = new DriverSessions(mongo, database, runs);
    }

    /**
     * Returns a runner for a database, with a time limit of {@link LockClientBuilder#DEFAULT_COMMAND_TIMEOUT} for a
     * command.
     *
     * @param mongo the driver's client, which the caller closes
     * @param database the name of the database
     * @return the runner
     */
    public static ProgramRunner on(MongoClient mongo, String database) {
        return new ProgramRunner(mongo, database, LockClientBuilder.DEFAULT_COMMAND_TIMEOUT);
    }

    /**
     * Limits the time of one command, the driver's own retries included.
     *
     * @param limit from 10 milliseconds to 5 minutes
     * @return a runner with that limit
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    public ProgramRunner withCommandTimeout(Duration limit) {
        return new ProgramRunner(mongo, database, limit);
    }

    /**
     * Runs a program. Its pauses block the calling thread.
     *
     * @param program supplies the program, once
     * @param <R> the result of the program
     * @return the result
     * @throws org.mongolocks.ClientClosedException if the driver's client is closed; nothing was sent
     * @throws org.mongolocks.LockException if the program ended with a fault that it does not interpret; the cause is
     *     the driver's exception
     * @throws org.mongolocks.LockInterruptedException if the thread was interrupted; the command in flight may have been executed
     */
    public <R> R run(Supplier<Step<R>> program) {
        LockTask task = LockTask.withoutLock("A program on database '" + database + "'");
        SyncPort port = new SyncPort(driver, runs, TimeBudget.perCommand(runs.commandTimeout()), task);
        try (StepRunner runner = new StepRunner(port, () -> {})) {
            port.open().ifPresent(closed -> {
                throw task.exception(closed);
            });
            return runner.run(task, program);
        }
    }
}
