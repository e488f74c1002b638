package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.Observation;

/** A measure of how long a lock has not changed, as seen by one waiter on its own clock. */
final class UnchangedTimer {
    private @Nullable LockSnapshot newest;
    private long unchangedSinceNanos;

    /** Records a reply that arrived at the given time. */
    void saw(LockSnapshot snapshot, long nowNanos) {
        LockSnapshot before = newest;
        boolean unchanged = before != null
                && before.revision() == snapshot.revision()
                && before.holder().equals(snapshot.holder())
                && before.leaseId().equals(snapshot.leaseId());
        if (!unchanged) {
            unchangedSinceNanos = nowNanos;
        }
        newest = snapshot;
    }

    Optional<Observation> since(long nowNanos) {
        LockSnapshot seen = newest;
        return seen == null
                ? Optional.empty()
                : Optional.of(new Observation(seen, Duration.ofNanos(nowNanos - unchangedSinceNanos)));
    }
}
