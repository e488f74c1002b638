package org.mongolocks.leader;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;

/**
 * The leader of a role when the server last showed it. It may be outdated when it is read. Immutable.
 *
 * @param role the name of the role
 * @param candidate the name of the candidate ({@link Candidate#id(String)}); empty if it has none
 * @param holder the stored owner of the lock: the instance of its client, a slash, and a random part
 * @param fencingToken the token of the term
 * @param electedAt when the lock was granted, by the server's clock; empty if not stored
 * @param remaining how much of the lease was left; empty when the reply had no server time
 */
public record Leader(
        LockName role,
        Optional<String> candidate,
        String holder,
        long fencingToken,
        Optional<Instant> electedAt,
        Optional<Duration> remaining) {
    /**
     * Returns the leader that a snapshot of the lock shows.
     *
     * @param lock the lock of the role
     * @return the leader; empty if the lock is free
     */
    public static Optional<Leader> of(LockSnapshot lock) {
        return lock.holder()
                .filter(holder -> lock.isHeld())
                .map(holder -> new Leader(
                        lock.name(),
                        lock.holderInfo().note(),
                        holder,
                        lock.fencingToken(),
                        lock.acquiredAt(),
                        lock.remaining()));
    }
}
