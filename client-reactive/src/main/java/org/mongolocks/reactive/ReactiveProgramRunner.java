package org.mongolocks.reactive;

import com.mongodb.reactivestreams.client.MongoClient;
import java.time.Duration;
import java.util.function.Supplier;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.spi.Step;
import reactor.core.publisher.Mono;

/**
 * A non-blocking runner of programs on a database of the user: for steps of the SPI that are not locks. Collection names in
 * them are the names in the database.
 *
 * <pre>{@code
 * Mono<Reply> reply = ReactiveProgramRunner.on(mongo, "app").run(() -> Step.call(op, Step::done));
 * }</pre>
 *
 * Each run has a session of its own. Whatever the settings of the driver's client are, writes are majority and
 * journalled, reads are from the primary, and each command has a time limit. Thread-safe; nothing has to be closed.
 */
public final class ReactiveProgramRunner {
    private final MongoClient mongo;
    private final String database;
    private final StepRunner runner;

    private ReactiveProgramRunner(MongoClient mongo, String database, Duration commandTimeout) {
        this.mongo = mongo;
        this.database = database;
        ClientRuns runs = ClientRuns.ofPrograms(commandTimeout, ConnectionShortage.of(mongo));
        this.runner = new StepRunner(new DriverSessions(mongo, database, runs), runs, ClientThreads.of(runs));
    }

    /**
     * Returns a runner for a database, with a time limit of {@link LockClientBuilder#DEFAULT_COMMAND_TIMEOUT} for a
     * command.
     *
     * @param mongo the driver's client, which the caller closes
     * @param database the name of the database
     * @return the runner
     */
    public static ReactiveProgramRunner on(MongoClient mongo, String database) {
        return new ReactiveProgramRunner(mongo, database, LockClientBuilder.DEFAULT_COMMAND_TIMEOUT);
    }

    /**
     * Limits the time of one command, the driver's own retries included.
     *
     * @param limit from 10 milliseconds to 5 minutes
     * @return a runner with that limit
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    public ReactiveProgramRunner withCommandTimeout(Duration limit) {
        return new ReactiveProgramRunner(mongo, database, limit);
    }

    /**
     * Runs a program for each subscriber, and sends nothing before a subscription. Signals arrive on the driver's
     * threads, or on threads of the runner, which end when they are idle: do not block there. A cancellation stops it
     * before its next command; the one in flight may be executed.
     *
     * @param program supplies the program, once for each subscriber
     * @param <R> the result of the program
     * @return emits the result. Fails with {@link org.mongolocks.ClientClosedException} if the driver's client is
     *     closed, and nothing was sent; with {@link org.mongolocks.LockException} if the program ended with a fault that
     *     it does not interpret; the cause is the driver's exception.
     */
    public <R> Mono<R> run(Supplier<Step<R>> program) {
        LockTask task = LockTask.withoutLock("A program on database '" + database + "'");
        return ProgramMono.delivered(runner, task, () -> program::get);
    }
}
