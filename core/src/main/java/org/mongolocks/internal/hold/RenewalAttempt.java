package org.mongolocks.internal.hold;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mongolocks.ClientSettings;
import org.mongolocks.Lease;
import org.mongolocks.LossReason;
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

    /** No reply arrived, or an error; the same renewal may be retried. */
    record Failed(boolean isTransportFault, Optional<String> error) implements RenewalAttempt {
        private static final Set<Fault> TRANSPORT_FAULTS =
                Set.of(Fault.AMBIGUOUS, Fault.NOT_SENT, Fault.TRANSIENT, Fault.UNKNOWN_COMMIT);

        static Failed of(Reply.Failed failure) {
            String error = failure.fault() + ": " + failure.cause().getMessage();
            return new Failed(TRANSPORT_FAULTS.contains(failure.fault()), Optional.of(error));
        }
    }

    /** Attempts once to renew one lease. */
    static Step<RenewalAttempt> toOne(ClientSettings settings, Lease lease) {
        long started = settings.time().nanoTime();
        return settings.strategy()
                .renew(lease.startingAt(started, lease.ttl()))
                .then(renewal -> Step.done(of(renewal, started)), failure -> Step.done(Failed.of(failure)));
    }

    /** Attempts once to renew several leases; if the strategy cannot renew several at once, nothing is sent. */
    static Step<RenewalAttempt> toSeveral(ClientSettings settings, List<Lease> leases) {
        long started = settings.time().nanoTime();
        Optional<Step<Boolean>> renewal = settings.strategy()
                .renewAll(leases.stream()
                        .map(lease -> lease.startingAt(started, lease.ttl()))
                        .toList());
        return renewal.isEmpty()
                ? Step.done(new Undetermined())
                : renewal.get()
                        .then(
                                all -> Step.done(all ? new Renewed(started) : new Undetermined()),
                                failure -> Step.done(Failed.of(failure)));
    }

    private static RenewalAttempt of(Renewal renewal, long started) {
        return renewal instanceof Renewal.Lost lost ? new Lost(lost.reason()) : new Renewed(started);
    }
}
