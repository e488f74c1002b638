package org.mongolocks.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import com.mongodb.session.ServerSession;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.spi.MongoOp;

class ReactivePortTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final AtomicLong nanos = new AtomicLong();
    private final ConnectionShortage shortage = new ConnectionShortage(nanos::get);

    @Test
    void commandThatTheDriverRefusesToAssembleHasEnded() {
        MongoOp find = new MongoOp.FindOne("look", "no such name", new BsonDocument(), Optional.empty());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> port().send(find).block())
                .withMessage("getCollection");

        nanos.addAndGet(LIMIT.toNanos());
        assertThat(shortage.isStalled()).isFalse();
    }

    private ReactivePort port() {
        ClientRuns runs = ClientRuns.ofPrograms(LIMIT, shortage);
        return new ReactivePort(
                refusing(MongoClient.class),
                refusing(MongoDatabase.class),
                runs,
                refusing(ClientSession.class),
                TimeBudget.perCommand(LIMIT));
    }

    /** A stub of a driver type that throws on every call. */
    private static <T> T refusing(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getReturnType() == ServerSession.class) {
                        return refusing(ServerSession.class);
                    }
                    if (method.getReturnType() == long.class) {
                        return 0L;
                    }
                    if (method.getReturnType() == boolean.class) {
                        return false;
                    }
                    throw new IllegalArgumentException(method.getName());
                }));
    }
}
