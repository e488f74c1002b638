package org.mongolocks.study.sim.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.leader.internal.LockPort;
import org.mongolocks.study.sim.client.SimulatedClient.WorkerLock;
import org.mongolocks.time.Timer;

/** The locks of a simulated client, as a candidacy uses them. A wait cannot be cancelled, but is not long. */
public record SimulatedLockPort(SimulatedClient client) implements LockPort {
    private static final Duration AFTER_A_FAILURE = Duration.ofMillis(100);

    @Override
    public Runnable acquire(LockRequest request, Answer<Optional<RoleLock>> answer) {
        LockRequest bounded = request.waitAtMost(client.timeout());
        client.acquire(
                bounded,
                granted -> granted.ifPresentOrElse(
                        holding -> answer.done(Optional.of(new SimulatedRole(client, holding))),
                        () -> client.process().after(AFTER_A_FAILURE.toNanos(), () -> answer.done(Optional.empty()))));
        return () -> {};
    }

    @Override
    public void inspect(LockName role, Answer<Optional<LockSnapshot>> answer) {
        throw new UnsupportedOperationException("No candidate of the study is on standby");
    }

    @Override
    public Timer timer() {
        return client.process().timer();
    }

    /**
     * The lock of a role.
     *
     * @param holding the lock as the history knows it
     */
    public record SimulatedRole(SimulatedClient client, WorkerLock holding) implements RoleLock {
        @Override
        public long fencingToken() {
            return holding.token();
        }

        @Override
        public Duration remaining() {
            return holding.hold().isHeld() ? holding.hold().remaining() : Duration.ZERO;
        }

        @Override
        public Optional<LossReason> loss() {
            return holding.hold().loss();
        }

        @Override
        public void watch(List<Duration> remaining, Runnable check) {
            holding.hold().onLost((lease, reason) -> check.run());
            remaining.forEach(left -> holding.hold().onEndangered(left, (lease, time) -> check.run()));
        }

        @Override
        public void release(Runnable then) {
            client.release(holding, then);
        }
    }
}
