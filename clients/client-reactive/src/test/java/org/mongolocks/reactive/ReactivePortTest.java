package org.mongolocks.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.mongodb.MongoTimeoutException;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import com.mongodb.session.ServerSession;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.spi.MongoOp;
import reactor.core.publisher.Mono;

class ReactivePortTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final AtomicLong nanos = new AtomicLong();
    private final ConnectionShortage shortage = new ConnectionShortage(nanos::get);

    @Test
    void commandThatTheDriverRefusesToAssembleHasEnded() {
        MongoOp find = new MongoOp.FindOne("look", "locks", new BsonDocument(), Optional.empty());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> port().send(find).block())
                .withMessage("getCollection");

        nanos.addAndGet(LIMIT.toNanos());
        assertThat(shortage.mustCloseStreams(
                        () -> CompletableFuture.failedFuture(new MongoTimeoutException("no reply"))))
                .isFalse();
    }

    private ReactivePort port() {
        ClientRuns runs = new ClientRuns(new ClientOptions<Object>(options -> options).settings(), shortage);
        DriverSessions driver = new DriverSessions(stub(MongoClient.class), "test", runs);
        return new ReactivePort(driver, runs, TimeBudget.perCommand(LIMIT), LockTask.withoutLock("A program"));
    }

    /** A stub of a driver type that throws on every call that sends something. */
    private static <T> T stub(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Class<?> result = method.getReturnType();
                    if (method.getName().equals("startSession")) {
                        return Mono.just(stub(ClientSession.class));
                    }
                    if (result == ServerSession.class || (type == MongoClient.class && result == MongoDatabase.class)) {
                        return stub(result);
                    }
                    if (method.getName().startsWith("with")) {
                        return proxy;
                    }
                    if (result == long.class) {
                        return 0L;
                    }
                    if (result == boolean.class) {
                        return false;
                    }
                    if (result == void.class || result == Object.class) {
                        return null;
                    }
                    throw new IllegalArgumentException(method.getName());
                }));
    }
}
