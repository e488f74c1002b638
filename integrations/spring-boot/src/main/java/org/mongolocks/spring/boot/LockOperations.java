package org.mongolocks.spring.boot;

import java.util.Objects;
import java.util.Optional;
import org.mongolocks.ClientStatus;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.sync.LockClient;
import org.springframework.beans.factory.ObjectProvider;
import reactor.core.publisher.Mono;

/**
 * What operators do with stored locks, on either client. Each call blocks; an interrupt is kept, and thrown as a
 * {@link LockException}.
 */
interface LockOperations {
    String strategyName();

    ClientStatus status();

    LockPage list(LockQuery query);

    Optional<LockSnapshot> inspect(LockName name);

    /** Returns whether the lock was released: it was as seen. */
    boolean forceRelease(LockSnapshot seen);

    /**
     * Operations on the synchronous client.
     *
     * @param client the client
     */
    record OnSyncClient(ObjectProvider<LockClient> client) implements LockOperations {
        @Override
        public String strategyName() {
            return client.getObject().strategyName();
        }

        @Override
        public ClientStatus status() {
            return client.getObject().status();
        }

        @Override
        public LockPage list(LockQuery query) {
            return client.getObject().list(query);
        }

        @Override
        public Optional<LockSnapshot> inspect(LockName name) {
            return client.getObject().inspect(name);
        }

        @Override
        public boolean forceRelease(LockSnapshot seen) {
            return client.getObject().forceRelease(seen);
        }
    }

    /**
     * Operations on the reactive client.
     *
     * @param client the client
     */
    record OnReactiveClient(ObjectProvider<ReactiveLockClient> client) implements LockOperations {
        @Override
        public String strategyName() {
            return client.getObject().strategyName();
        }

        @Override
        public ClientStatus status() {
            return client.getObject().status();
        }

        @Override
        public LockPage list(LockQuery query) {
            return value(client.getObject().list(query));
        }

        @Override
        public Optional<LockSnapshot> inspect(LockName name) {
            return client.getObject().inspect(name).blockOptional();
        }

        @Override
        public boolean forceRelease(LockSnapshot seen) {
            return value(client.getObject().forceRelease(seen));
        }

        private static <R> R value(Mono<R> operation) {
            return Objects.requireNonNull(operation.block(), "The lock client emitted nothing");
        }
    }
}
