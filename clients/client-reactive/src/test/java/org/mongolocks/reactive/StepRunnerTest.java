package org.mongolocks.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import com.mongodb.session.ServerSession;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.reactive.StepRunner.TransactionSession;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Step;
import reactor.core.publisher.Mono;

/** Tests that a run ends although its program fails with an error that Reactor signals to nobody. */
class StepRunnerTest {
    private static final ClientSettings SETTINGS = new ClientOptions<Object>(options -> options).settings();
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final LockTask TASK = LockTask.withoutLock("A program");

    private final ClientRuns runs = new ClientRuns(SETTINGS, new ConnectionShortage(System::nanoTime));
    private final ServerSession serverSession =
            stub(ServerSession.class, Map.of("getTransactionNumber", 0L, "isMarkedDirty", false));
    private final ClientSession session =
            stub(ClientSession.class, Map.of("hasActiveTransaction", false, "getServerSession", serverSession));
    private final MongoDatabase database =
            stub(MongoDatabase.class, Map.of("runCommand", Mono.just(new BsonDocument())));
    private final MongoClient mongo =
            stub(MongoClient.class, Map.of("startSession", Mono.just(session), "getDatabase", database));
    private final DriverSessions driver = new DriverSessions(mongo, "test", runs);

    @ParameterizedTest(name = "{0}")
    @MethodSource("programs")
    void runEndsWithTheErrorOfItsProgram(String when, Error error, Supplier<Step<String>> program) {
        StepRunner runner = new StepRunner(driver, runs, threads());

        CompletableFuture<String> result =
                ProgramMono.inBackground(runner, TASK, () -> program::get).toFuture();

        assertThat(result).failsWithin(LIMIT).withThrowableThat().withRootCauseInstanceOf(error.getClass());
        assertThat(runner.idle()).isCompleted();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("programs")
    void transactionEndsWithTheErrorOfItsProgram(String when, Error error, Supplier<Step<String>> program) {
        ReactivePort port = new ReactivePort(driver, runs, TimeBudget.perCommand(LIMIT), TASK);
        TransactionSession transaction = new TransactionSession(port, threads(), () -> {});

        CompletableFuture<String> result = transaction.run(TASK, program).toFuture();

        assertThat(result).failsWithin(LIMIT).withThrowableThat().withRootCauseInstanceOf(error.getClass());
    }

    private static ClientThreads threads() {
        return new ClientThreads(SETTINGS);
    }

    static Stream<Arguments> programs() {
        return Stream.of(new InternalError("for a test"), new StackOverflowError(), new NoClassDefFoundError())
                .flatMap(error -> Stream.of(
                        arguments("at the start: ", error, () -> fail(error)),
                        arguments(
                                "after a reply: ",
                                error,
                                () -> Step.call(new MongoOp.Hello("probe", "hello"), reply -> fail(error))),
                        arguments(
                                "after a pause: ",
                                error,
                                () -> new Step.Pause<>(Duration.ofMillis(1), Optional.empty(), () -> fail(error)))));
    }

    private static Arguments arguments(String when, Error error, Supplier<Step<String>> program) {
        return Arguments.of(when + error.getClass().getSimpleName(), error, program);
    }

    private static Step<String> fail(Error error) {
        throw error;
    }

    /** A stub of a driver type with some results; the others are null. */
    private static <T> T stub(Class<T> type, Map<String, ?> results) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) ->
                        type == MongoDatabase.class && method.getName().startsWith("with")
                                ? proxy
                                : results.get(method.getName())));
    }
}
