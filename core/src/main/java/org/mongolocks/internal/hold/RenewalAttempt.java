package org.mongolocks.internal.hold;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LossReason;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.FaultClassifier;
import org.mongolocks.internal.run.LeaseTimes;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** The result of one attempt to renew one lease, or several. */
public sealed interface RenewalAttempt {
    /** All leases are renewed, counted from before the send. */
    record Renewed(long startedNanos) implements RenewalAttempt {}

    /** The only lease is lost. */
    record Lost(LossReason reason) implements RenewalAttempt {}

    /** The reply does not show which leases are renewed: renew each by itself. */
    record Undetermined() implements RenewalAttempt {}

    /** Some leases are renewed, counted from before the send, and others are not. */
    record InPart(long startedNanos, Set<LockName> notRenewed, Failed failure) implements RenewalAttempt {}

    /** No reply arrived, or an error; the leases may be renewed again as the retry says. */
    record Failed(Retry retry, Optional<String> error) implements RenewalAttempt {
        private static final Set<Fault> TRANSPORT_FAULTS =
                Set.of(Fault.AMBIGUOUS, Fault.NOT_SENT, Fault.TRANSIENT, Fault.UNKNOWN_COMMIT);

        /** Returns whether no reply arrived. A driver's client that is closed may be replaced below a proxy. */
        static boolean isWithoutReply(Reply.Failed failure) {
            return TRANSPORT_FAULTS.contains(failure.fault()) || ClientRuns.isDriverClosed(failure);
        }

        static Failed of(Reply.Failed failure) {
            return new Failed(
                    retryAfter(failure),
                    Optional.of(failure.fault() + ": " + failure.cause().getMessage()));
        }

        private static Retry retryAfter(Reply.Failed failure) {
            if (!isWithoutReply(failure) || FaultClassifier.isRefusedInPart(failure.cause())) {
                return Retry.EACH;
            }
            return FaultClassifier.isOutOfTime(failure.cause()) ? Retry.IN_PARTS : Retry.TOGETHER;
        }
    }

    /** How to renew several leases after a common failure. */
    enum Retry {
        /** The failure has nothing to do with any lease. */
        TOGETHER,
        /** The command got no reply in time: a transaction may block the document of one lock, or the server is silent. */
        IN_PARTS,
        /** One of the leases may cause the failure. */
        EACH
    }

    /** Attempts once to renew one lease. */
    static Step<RenewalAttempt> toOne(ClientSettings settings, Lease lease) {
        long started = settings.time().nanoTime();
        return settings.strategy()
                .renew(LeaseTimes.startingAt(lease, started, lease.ttl()))
                .then(renewal -> Step.done(of(renewal, started)), failure -> Step.done(Failed.of(failure)));
    }

    /** Attempts once to renew several leases; if the strategy cannot renew several at once, nothing is sent. */
    static Step<RenewalAttempt> toSeveral(ClientSettings settings, List<Lease> leases) {
        long started = settings.time().nanoTime();
        Optional<Step<Boolean>> renewal = settings.strategy()
                .renewAll(leases.stream()
                        .map(lease -> LeaseTimes.startingAt(lease, started, lease.ttl()))
                        .toList());
        return renewal.isEmpty()
                ? Step.done(new Undetermined())
                : renewal.get()
                        .then(
                                all -> Step.done(all ? new Renewed(started) : new Undetermined()),
                                failure -> Step.done(of(settings, leases, failure, started)));
    }

    private static RenewalAttempt of(ClientSettings settings, List<Lease> leases, Reply.Failed failure, long started) {
        Failed failed = Failed.of(failure);
        return settings.strategy()
                .notRenewed(leases, failure)
                .filter(some -> some.size() < leases.size())
                .<RenewalAttempt>map(some ->
                        new InPart(started, some.stream().map(Lease::name).collect(Collectors.toSet()), failed))
                .orElse(failed);
    }

    private static RenewalAttempt of(Renewal renewal, long started) {
        return renewal instanceof Renewal.Lost lost ? new Lost(lost.reason()) : new Renewed(started);
    }
}
