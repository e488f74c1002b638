package org.mongolocks.benchmarks.lock;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.lock.LockResponse;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.support.CloseableClient;
import io.etcd.jetcd.support.Observers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.LockImplementation.WaitMode;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;

/**
 * The lock service of etcd with the client jetcd. A lock has no lease of its own: it ends with a session, which is a
 * lease that the client keeps alive. Each lock that is held at the same time has another session, because a session
 * that asks for its own lock again is granted it again.
 */
public final class EtcdLock implements OtherServerLock {
    static final LockUnderTest CONTENDER = LockUnderTest.of(
            "etcd",
            Kind.PEER,
            "jetcd 0.8.7 on etcd",
            new Properties(
                    "quorum of the cluster, each log synced",
                    "the revision of the grant",
                    "key of the session",
                    "server's, for the session",
                    "in order; the server answers when it is granted",
                    "yes: the same session finds its key"));

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
    /** The first request loads the classes of gRPC, which takes seconds on a busy machine. */
    private static final Duration MAX_FIRST_REPLY = Duration.ofSeconds(12);

    private static final long SESSION_SECONDS = 10;
    /** Longer than any operation of a server that answers. */
    private static final Duration MAX_REPLY = Duration.ofSeconds(20);

    private final String endpoint;
    private final String prefix;

    public EtcdLock(String endpoint, String prefix) {
        this.endpoint = endpoint;
        this.prefix = prefix;
    }

    @Override
    public LockUnderTest entry() throws InterruptedException {
        try (Client etcd = connect()) {
            if (result(etcd.getKVClient().get(bytes(prefix)), MAX_FIRST_REPLY).isEmpty()) {
                throw new LockException("etcd does not answer");
            }
        }
        return CONTENDER;
    }

    @Override
    public String id() {
        return CONTENDER.id();
    }

    @Override
    public BenchmarkParticipant open() {
        return new Sessions(connect(), prefix, new ConcurrentLinkedQueue<>(), new ConcurrentLinkedQueue<>());
    }

    @Override
    public WaitMode waiting() {
        return WaitMode.NOTIFIED;
    }

    @Override
    public void close() {
        // The keys of a participant end with its sessions.
    }

    private Client connect() {
        return Client.builder()
                .endpoints("http://" + endpoint)
                .connectTimeout(CONNECT_TIMEOUT)
                .waitForReady(false)
                .build();
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    /** Returns the result, or empty after the time. */
    private static <T> Optional<T> result(CompletableFuture<T> future, Duration time) throws InterruptedException {
        try {
            return Optional.of(future.get(time.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new LockException("etcd failed: " + e.getCause(), e);
        }
    }

    private static <T> T answer(CompletableFuture<T> future) throws InterruptedException {
        return result(future, MAX_REPLY).orElseThrow(() -> new LockException("etcd did not answer in " + MAX_REPLY));
    }

    /** A session: a lease and its keep-alive. */
    private record Session(long lease, CloseableClient keepAlive) {}

    /**
     * A client with the sessions that hold no lock, and the requests that were given up. Such a request ends in its turn:
     * after many were aborted at once, the lock service wakes no waiter any more, of any client, until the server is
     * started again (etcd issues 13336 and 18879).
     */
    private record Sessions(Client etcd, String prefix, Queue<Session> idle, Queue<CompletableFuture<?>> abandoned)
            implements BenchmarkParticipant {
        @Override
        public Optional<AcquiredLock> acquire(LockRequest request) throws InterruptedException {
            String name = prefix + request.name().value();
            if (request.waitAtMost().isZero() && isHeld(name)) {
                return Optional.empty();
            }
            Session session = session();
            Duration time = request.waitAtMost().isZero() ? MAX_REPLY : request.waitAtMost();
            boolean isGranted = false;
            CompletableFuture<LockResponse> asked = etcd.getLockClient().lock(bytes(name), session.lease());
            try {
                Optional<LockResponse> grant = result(asked, time);
                isGranted = grant.isPresent();
                return grant.map(granted -> AcquiredLock.of(
                        OptionalLong.of(granted.getHeader().getRevision()), () -> release(granted, session)));
            } finally {
                if (!isGranted) {
                    abandoned.add(asked.handle((granted, failure) -> session).thenCompose(this::end));
                }
            }
        }

        /** One attempt is a read of the keys of all sessions that ask for the lock: the service itself always waits. */
        private boolean isHeld(String name) throws InterruptedException {
            GetOption any =
                    GetOption.builder().isPrefix(true).withCountOnly(true).build();
            return answer(etcd.getKVClient().get(bytes(name + "/"), any)).getCount() > 0;
        }

        private Session session() throws InterruptedException {
            Session session = idle.poll();
            if (session != null) {
                return session;
            }
            long lease = answer(etcd.getLeaseClient().grant(SESSION_SECONDS)).getID();
            return new Session(
                    lease,
                    etcd.getLeaseClient().keepAlive(lease, Observers.<LeaseKeepAliveResponse>observer(alive -> {})));
        }

        private void release(LockResponse granted, Session session) {
            try {
                answer(etcd.getLockClient().unlock(granted.getKey()));
                idle.add(session);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new LockException("Interrupted while etcd released a lock", e);
            }
        }

        /** Ends a session, and with it the grant that it may have. */
        private CompletableFuture<?> end(Session session) {
            session.keepAlive().close();
            return etcd.getLeaseClient().revoke(session.lease());
        }

        @Override
        public void close() {
            // However they end, and with the connection after this time at the latest.
            CompletableFuture.allOf(
                            Stream.concat(abandoned.stream(), idle.stream().map(this::end))
                                    .toArray(CompletableFuture<?>[]::new))
                    .completeOnTimeout(null, MAX_REPLY.toNanos(), TimeUnit.NANOSECONDS)
                    .exceptionally(failure -> null)
                    .join();
            etcd.close();
        }
    }
}
