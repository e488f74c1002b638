package org.mongolocks.study.process.child;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
    private static final Pattern MONGODB_URI =
            Pattern.compile("(mongodb(?:\\+srv)?://(?:[^@/]*@)?)([^/?]*)(/[^?]*)?(?:\\?(.*))?");
    /** The options that contradict a single server, or that a proxy does not understand. */
    private static final List<String> OF_CLUSTER = List.of("replicaset=", "directconnection=", "compressors=");
    /** Without a limit a driver waits forever for a reply that is lost. */
    private static final String LIMITS = "timeoutMS=3000";

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

    private static String mongoUri(Place place) {
        Matcher parts = MONGODB_URI.matcher(place.uri());
        if (!parts.matches()) {
            throw new IllegalArgumentException("The connection string is none of MongoDB");
        }
        List<String> options = new ArrayList<>(
                Stream.of(Optional.ofNullable(parts.group(4)).orElse("").split("&", -1))
                        .filter(option -> !option.isEmpty() && (place.proxyPort() == 0 || !isOfCluster(option)))
                        .toList());
        options.add(LIMITS);
        String hosts = parts.group(2);
        if (place.proxyPort() != 0) {
            options.add("directConnection=true");
            hosts = InetAddress.getLoopbackAddress().getHostAddress() + ":" + place.proxyPort();
        }
        String path = Optional.ofNullable(parts.group(3)).orElse("/");
        return parts.group(1) + hosts + path + "?" + String.join("&", options);
    }

    private static boolean isOfCluster(String option) {
        return OF_CLUSTER.stream().anyMatch(option.toLowerCase(Locale.ROOT)::startsWith);
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
