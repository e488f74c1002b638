package org.mongolocks.server;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.time.TimeSource;
import org.mongolocks.time.Timer;

/** The server that the contract runs on, with a way to let time pass. */
public interface ContractServer {
    /**
     * The database that the rules use: {@code mongo_locks_contract_} and a random suffix, so that parallel runs do not
     * share it.
     */
    String DATABASE = "mongo_locks_contract_" + UUID.randomUUID().toString().substring(0, 8);

    /** Describes the server, with its version and topology. */
    String description();

    /** Returns the connection string. */
    String uri();

    /** Returns whether the server is neither a replica set nor a sharded cluster. */
    boolean isStandalone();

    /** Returns whether the server is a router of a sharded cluster. */
    boolean isSharded();

    /** Returns whether an update may be a pipeline, as since MongoDB 4.2. */
    default boolean hasUpdatePipelines() {
        return true;
    }

    /**
     * Returns the time source that the clients of the contract use.
     *
     * @return a monotonic time that passes as the server's does
     */
    TimeSource time();

    /**
     * Returns a timer that runs by {@link #time()}.
     *
     * @return the timer; empty where time passes by itself, and the clients' own timers are used
     */
    Optional<Timer> timer();

    /** Lets the clocks of a client move with the server's, and returns its builder. */
    default <C> LockClientBuilder<C> setClocks(LockClientBuilder<C> builder) {
        ClientOptions<C> options = ClientOptions.of(builder).time(time());
        timer().ifPresent(options::timer);
        return options;
    }

    /** Returns a ttl that is long compared with the commands of a test, and short enough to wait for. */
    Duration ttl();

    /**
     * Returns a command timeout that is long enough for a reply and short compared with the lease: three commands
     * without a reply fit into one lease.
     */
    Duration timeout();

    /**
     * Lets time pass, for the server and for the clients: moves the clock where that is possible, and waits otherwise.
     */
    void elapse(Duration duration);

    /**
     * Lets time pass until unused documents are cleaned up, where the clock can be moved.
     *
     * @return false if the clock cannot be moved, and nothing was done
     */
    boolean cleanUpAfter(Duration duration);

    /**
     * Lets two leases pass quickly, and then slowly enough that a lease granted in between does not end before its holder
     * can use it.
     */
    final class LeaseElapser {
        private static final int QUICK_STEPS = 8;
        private static final int QUICK_STEPS_PER_LEASE = 4;
        private static final int SLOW_STEPS_PER_LEASE = 64;

        private final ContractServer server;
        private int steps;

        public LeaseElapser(ContractServer server) {
            this.server = server;
        }

        public void step() {
            steps++;
            int perLease = steps <= QUICK_STEPS ? QUICK_STEPS_PER_LEASE : SLOW_STEPS_PER_LEASE;
            server.elapse(server.ttl().dividedBy(perLease));
        }
    }
}
