package org.mongolocks.sync;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
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
    private final MongoDatabase database;
    private final ClientRuns runs;

    private ProgramRunner(MongoClient mongo, MongoDatabase database, ClientRuns runs) {
        this.mongo = mongo;
        this.database = database;
        this.runs = runs;
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
        ClientRuns runs =
                ClientRuns.ofPrograms(LockClientBuilder.DEFAULT_COMMAND_TIMEOUT, ConnectionShortage.of(mongo));
        return new ProgramRunner(mongo, mongo.getDatabase(database), runs);
    }

    /**
     * Limits the time of one command, the driver's own retries included.
     *
     * @param limit from 10 milliseconds to 5 minutes
     * @return a runner with that limit
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    public ProgramRunner withCommandTimeout(Duration limit) {
        return new ProgramRunner(mongo, database, ClientRuns.ofPrograms(limit, ConnectionShortage.of(mongo)));
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
        LockTask task = LockTask.withoutLock("A program on database '" + database.getName() + "'");
        ClientSession session = SyncPort.openSession(mongo, refusal -> runs.driverClosed(task, refusal));
        TimeBudget limit = TimeBudget.perCommand(runs.commandTimeout());
        SyncPort port = new SyncPort(mongo, SyncPort.durable(database, runs), runs, session, limit);
        try (StepRunner runner = new StepRunner(session, port, () -> {})) {
            return runner.run(task, program);
        }
    }
}
