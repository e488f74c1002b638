package org.mongolocks.reactive;

import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.DriverOptions;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The sessions on the driver's client of the user, each with the database of the same client. Below a proxy of the user
 * the client may be replaced between any two calls, and the driver refuses a session of another client. Thread-safe.
 */
final class DriverSessions {
    /** A client is not replaced more often while one session is opened. */
    private static final int MAX_TRIES = 3;

    private final MongoClient mongo;
    private final String database;
    private final ClientRuns runs;
    private volatile @Nullable Target newest;

    /** What the driver's client is at present. */
    private record Target(Object originator, MongoDatabase database) {}

    /** A session, and the database to use it with. */
    record Opened(ClientSession session, MongoDatabase database) {}

    DriverSessions(MongoClient mongo, String database, ClientRuns runs) {
        this.mongo = mongo;
        this.database = database;
        this.runs = runs;
    }

    /** Opens a session; nothing is sent. Fails with the driver's {@code IllegalStateException} if its client is closed. */
    Mono<Opened> open() {
        return start().flatMap(session -> {
            Target known = newest;
            if (known != null && known.originator == session.getOriginator()) {
                return Mono.just(new Opened(session, known.database));
            }
            session.close();
            return open(MAX_TRIES);
        });
    }

    private Mono<Opened> open(int tries) {
        return start().flatMap(before -> {
            MongoDatabase made = otherDatabase(database);
            before.close();
            return start().flatMap(session -> {
                if (session.getOriginator() != before.getOriginator() && tries > 1) {
                    session.close();
                    return open(tries - 1);
                }
                if (newest != null) {
                    runs.driverReplaced();
                }
                newest = new Target(session.getOriginator(), made);
                return Mono.just(new Opened(session, made));
            });
        });
    }

    /**
     * A client that is closed while it opens the session may be replaced. It then interrupts its own thread, which asks
     * for another session, or reads the random numbers of the system for it. Both are done on another thread then, and
     * if this one must not block.
     */
    private Mono<ClientSession> start() {
        Mono<ClientSession> here = Mono.defer(() -> Mono.from(mongo.startSession(DriverOptions.SESSION)))
                .doOnNext(ClientSession::getServerSession);
        Mono<ClientSession> elsewhere = here.subscribeOn(Schedulers.boundedElastic());
        return Mono.defer(() -> Schedulers.isInNonBlockingThread() ? elsewhere : here)
                .onErrorResume(failure -> elsewhere);
    }

    /**
     * Emits whether the client that has opened a session was replaced. Fails with the driver's {@code
     * IllegalStateException} if the client is closed.
     */
    Mono<Boolean> isReplaced(ClientSession session) {
        return start().doOnNext(ClientSession::close).map(other -> other.getOriginator() != session.getOriginator());
    }

    /** Returns a database of the user, as the driver's client is at present. */
    MongoDatabase otherDatabase(String name) {
        return ReactivePort.durable(mongo.getDatabase(name), runs.commandTimeout());
    }
}
