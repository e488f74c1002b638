package org.mongolocks.internal.hold;

import static java.lang.System.Logger.Level.WARNING;
import static java.util.stream.Collectors.toSet;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.mongolocks.ClientClosedException;
import org.mongolocks.ClientSettings;
import org.mongolocks.Lease;
import org.mongolocks.internal.run.BackgroundLog;
import org.mongolocks.internal.run.ClientRuns.BackgroundRunner;
import org.mongolocks.internal.run.TimeBudget.FaultRetry;
import org.mongolocks.spi.Step;

/**
 * The release of the locks that a client holds when it is closed: several by one command, or one by one if the strategy
 * or the server refuses that. A release that fails is logged. A lock with an open transaction is released by itself,
 * because its release waits for the end of the transaction, and so is one that stays held for a minimum.
 */
record ClosingRelease(ClientSettings settings, BackgroundRunner background) {

    /** Starts the releases; the future completes when all are done as far as possible, and never fails. */
    CompletableFuture<Void> start(List<Hold> holds) {
        Set<Hold> separate = holds.stream()
                .filter(hold -> hold.gate().isClosed() || hold.isMinimumLeft())
                .collect(toSet());
        List<Lease> free = holds.stream()
                .filter(hold -> !separate.contains(hold))
                .map(Hold::lease)
                .toList();
        Stream<CompletableFuture<Void>> batches = HoldRegistry.batches(free).map(this::releaseTogether);
        Stream<CompletableFuture<Boolean>> alone =
                separate.stream().map(hold -> release(hold.lease(), hold.releaseOperation(settings)));
        return all(Stream.concat(batches, alone));
    }

    private CompletableFuture<Void> releaseTogether(List<Lease> leases) {
        if (leases.size() == 1) {
            return releaseEach(leases);
        }
        return background
                .run("Releasing", leases.get(0).name(), () -> together(leases, faults()))
                .exceptionally(error -> logFailed(leases, error))
                .thenCompose(isDone -> releaseEach(isDone ? List.of() : leases));
    }

    private CompletableFuture<Void> releaseEach(List<Lease> leases) {
        return all(leases.stream()
                .map(lease -> release(
                        lease,
                        ReleaseOperation.of(settings, lease, settings.time().nanoTime()))));
    }

    private CompletableFuture<Boolean> release(Lease lease, ReleaseOperation release) {
        return background
                .run("Releasing", lease.name(), release::start)
                .exceptionally(error -> logFailed(List.of(lease), error));
    }

    /** Ends with false if they have to be released one by one. */
    private Step<Boolean> together(List<Lease> leases, FaultRetry faults) {
        return settings.strategy()
                .releaseAll(leases)
                .map(release -> release.then(
                        all -> Step.done(true),
                        failure -> faults.retryOrElse(failure, () -> together(leases, faults), () -> Step.done(false))))
                .orElseGet(() -> Step.done(false));
    }

    private FaultRetry faults() {
        return FaultRetry.lasting(settings, settings.commandTimeout());
    }

    /** Returns true: the same error would follow. A driver's client that is closed is logged once for all locks. */
    private static boolean logFailed(List<Lease> leases, Throwable error) {
        if (error instanceof ClientClosedException) {
            return true;
        }
        String others = leases.size() == 1 ? "" : " and " + (leases.size() - 1) + " others";
        BackgroundLog.log(
                WARNING,
                "Lock '" + leases.get(0).name() + "'" + others
                        + " could not be released when the client was closed, and stays held until its ttl has passed: "
                        + error);
        return true;
    }

    private static CompletableFuture<Void> all(Stream<? extends CompletableFuture<?>> releases) {
        return CompletableFuture.allOf(releases.toArray(CompletableFuture[]::new));
    }
}
