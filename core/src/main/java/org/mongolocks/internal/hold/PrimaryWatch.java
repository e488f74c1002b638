package org.mongolocks.internal.hold;

import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ServerDescription;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.time.Timer;

/**
 * A check, ten times a second while a lock is kept alive, which member of the replica set the driver takes for the
 * primary, and by which election. The driver keeps that in memory, so the check sends nothing. Behind a router the
 * driver knows no primary, and nothing is detected. Thread-safe.
 */
final class PrimaryWatch {
    static final Duration CHECK_INTERVAL = Duration.ofMillis(100);

    private final Timer timer;
    private final Supplier<ClusterDescription> deployment;
    private final BooleanSupplier isNeeded;
    private final Runnable elected;
    private Optional<List<Object>> known = Optional.empty();
    private boolean checking;

    /**
     * Creates a check that starts when it is {@linkplain #begin needed}.
     *
     * @param timer schedules the checks
     * @param deployment returns the driver's description of the servers
     * @param isNeeded whether to continue
     * @param elected called when the primary is of another election than before
     */
    PrimaryWatch(Timer timer, Supplier<ClusterDescription> deployment, BooleanSupplier isNeeded, Runnable elected) {
        this.timer = timer;
        this.deployment = deployment;
        this.isNeeded = isNeeded;
        this.elected = elected;
    }

    /** Starts the checks, unless they run. */
    void begin() {
        synchronized (this) {
            if (checking) {
                return;
            }
            checking = true;
            known = primary();
        }
        next();
    }

    private void next() {
        Timer.Timeout unused = timer.schedule(CHECK_INTERVAL, this::check);
    }

    /** While there is no primary, the last one is remembered: it may come back. */
    private void check() {
        boolean isAnother;
        synchronized (this) {
            Optional<List<Object>> now = primary();
            isAnother = known.isPresent() && now.isPresent() && !now.equals(known);
            known = now.isPresent() ? now : known;
        }
        if (isAnother) {
            elected.run();
        }
        if (goesOn()) {
            next();
        }
    }

    private synchronized boolean goesOn() {
        checking = isNeeded.getAsBoolean();
        return checking;
    }

    /** The driver refuses the description if its client is closed, which may be replaced below a proxy. */
    private Optional<List<Object>> primary() {
        List<ServerDescription> servers;
        try {
            servers = deployment.get().getServerDescriptions();
        } catch (IllegalStateException e) {
            return Optional.empty();
        }
        return servers.stream()
                .filter(ServerDescription::isReplicaSetMember)
                .filter(ServerDescription::isPrimary)
                .findFirst()
                .map(server -> List.of(server.getAddress(), orNone(server.getElectionId())));
    }

    private static Object orNone(@Nullable Object election) {
        return Objects.requireNonNullElse(election, "");
    }
}
