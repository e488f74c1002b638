package org.mongolocks.study.process.child;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.peers.PeerLibrary;
import org.mongolocks.peers.PeerLibrary.Server;
import org.mongolocks.peers.PeerLocks;
import org.mongolocks.peers.PeerLocks.PeerLock;
import org.mongolocks.peers.PeerPlace;
import org.mongolocks.study.process.message.ParentMessage.Place;
import org.mongolocks.study.technique.Library;

/**
 * The locks of a library. A holder believes what the library says: it holds the lock from the grant to the last time at
 * which the library said so. A library that does not wait is asked again and again.
 */
final class PeerTestedLocks implements TestedLocks {
    private static final Pattern HOSTS = Pattern.compile("(?<before>//(?:[^@/]*@)?)[^/?]*");
    /** The options that contradict a single server, or that a proxy does not understand. */
    private static final Pattern OF_CLUSTER =
            Pattern.compile("(?<=[?&])(replicaSet|directConnection|compressors)=[^&]*", Pattern.CASE_INSENSITIVE);

    private final PeerLocks locks;

    PeerTestedLocks(PeerLocks locks) {
        this.locks = locks;
    }

    /**
     * Opens a client.
     *
     * @throws LockException if the server cannot be reached
     */
    static PeerTestedLocks open(Library library, Place place) throws InterruptedException {
        PeerLibrary peer = library.peer();
        String uri = peer.server() == Server.MONGODB ? mongoUri(place) : place.uri();
        PeerLocks locks = of(() -> peer.open(new PeerPlace(uri, place.database(), place.collection(), peer.ttl())));
        warmUp(locks);
        return new PeerTestedLocks(locks);
    }

    /** Uses a lock of its own, so that no judged request pays for connecting and loading classes. */
    private static void warmUp(PeerLocks locks) throws InterruptedException {
        try {
            of(() -> {
                Optional<PeerLock> own = locks.acquire(UUID.randomUUID().toString(), Duration.ZERO);
                return own.isPresent() && own.get().release();
            });
        } catch (LockException e) {
            return; // A judged request will show what is wrong.
        }
    }

    /** Names the proxy in place of the server, and a limit: without one a driver waits forever for a reply that is lost. */
    private static String mongoUri(Place place) {
        String uri = place.uri();
        String options = "timeoutMS=3000";
        if (place.proxyPort() != 0) {
            String proxy = InetAddress.getLoopbackAddress().getHostAddress() + ":" + place.proxyPort();
            uri = OF_CLUSTER
                    .matcher(HOSTS.matcher(uri).replaceFirst("${before}" + proxy))
                    .replaceAll("");
            options += "&directConnection=true";
        }
        String path = uri.indexOf('/', uri.indexOf("//") + 2) < 0 ? "/" : "";
        return uri + path + (uri.contains("?") ? "&" : "?") + options;
    }

    /** A call of a library. */
    private interface Call<T> {
        T run() throws Exception;
    }

    private static <T> T of(Call<T> call) throws InterruptedException {
        try {
            return call.run();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) { // Each library has its own.
            throw new LockException(e.getClass().getSimpleName() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<TestedLock> acquire(Request wanted) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + wanted.waitAtMost().toNanos();
        while (true) {
            long askedNanos = System.nanoTime();
            Duration left = Duration.ofNanos(Math.max(0, deadlineNanos - askedNanos));
            Optional<PeerLock> lock = of(() -> locks.acquire(wanted.lock(), left));
            if (lock.isPresent() || System.nanoTime() + Library.POLL.toNanos() - deadlineNanos >= 0) {
                return lock.map(one -> new Held(one, askedNanos));
            }
            TimeUnit.NANOSECONDS.sleep(Library.POLL.toNanos());
        }
    }

    @Override
    public void close() {
        locks.close();
    }

    /** A lock; used by one thread. */
    private static final class Held implements TestedLock {
        private final PeerLock lock;
        private final long askedNanos;
        private long confirmedNanos = System.nanoTime();
        private long shownNanos = confirmedNanos;
        private boolean isLost;
        private @Nullable Consumer<String> listener;

        Held(PeerLock lock, long askedNanos) {
            this.lock = lock;
            this.askedNanos = askedNanos;
        }

        @Override
        public void look() {
            ask();
        }

        /** A holder without an answer aborts its work, too. */
        @Override
        public boolean isHeld() {
            boolean isHeld = ask();
            shownNanos = confirmedNanos;
            return isHeld;
        }

        /** Asks the library. The answer was true at some time since the question, which therefore counts. */
        private boolean ask() {
            long nowNanos = System.nanoTime();
            try {
                if (!isLost && lock.isHeld()) {
                    confirmedNanos = nowNanos;
                    return true;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } catch (Exception e) { // Each library has its own.
                return false;
            }
            if (!isLost && listener != null) {
                listener.accept("said by isHeld");
            }
            isLost = true;
            return false;
        }

        @Override
        public long token() {
            return lock.token();
        }

        @Override
        public boolean release() {
            try {
                return lock.release();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new LockException("Not released: interrupted", e);
            } catch (Exception e) { // Each library has its own.
                throw new LockException("Not released: " + e, e);
            }
        }

        @Override
        public Lease lease() {
            return new Lease(askedNanos, shownNanos);
        }

        @Override
        public void onLost(Consumer<String> added) {
            listener = added;
        }
    }
}
