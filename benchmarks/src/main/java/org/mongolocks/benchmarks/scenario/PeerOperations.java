package org.mongolocks.benchmarks.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.lock.AcquiredLock;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.OtherLibraries;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.SingleHolderCheck;
import org.mongolocks.benchmarks.sampling.BenchmarkFixture;
import org.mongolocks.benchmarks.sampling.MeasuredOperation;
import org.mongolocks.benchmarks.sampling.Samples.Operation;
import org.mongolocks.benchmarks.sampling.UncontendedLock;
import org.mongolocks.benchmarks.server.ConnectionErrors;

/**
 * The operations of the locks of other libraries, to be measured in the rounds of the strategies. A library that does
 * not run on this MongoDB has no baseline, because none applies to it.
 */
final class PeerOperations implements AutoCloseable {
    private final BenchmarkContext context;
    private final LocksUnderTest peers;
    private final List<End> ends = new ArrayList<>();

    /** What is left to do for a lock at the end. */
    private record End(String peer, Runnable action) {}

    /** Adds the libraries to a run. */
    PeerOperations(BenchmarkContext context, OtherLibraries libraries) throws InterruptedException {
        this.context = context;
        this.peers = new LocksUnderTest(context, libraries.enter(context));
    }

    /** Returns for each library the acquisition and release of a lock without contention. */
    List<MeasuredOperation> uncontended(BenchmarkFixture fixture) throws InterruptedException {
        List<MeasuredOperation> operations = new ArrayList<>();
        peers.each(peers.contenders(), peer -> {
            MeasuredOperation operation = MeasuredOperation.of(fixture.subject(peer.id()), acquireAndRelease(peer));
            boolean hasBaseline = peer.commands().isPresent();
            operations.add(hasBaseline ? operation.over(fixture.baseline(Baseline.TWO_FIND_AND_MODIFY)) : operation);
        });
        return operations;
    }

    private Operation acquireAndRelease(LockImplementation peer) throws InterruptedException {
        LockRequest request =
                LockRequest.of("peer-" + UUID.randomUUID(), UncontendedLock.TTL).fixedLease();
        SingleHolderCheck check = new SingleHolderCheck();
        BenchmarkParticipant locks = open(peer);
        ends.add(new End(peer.id(), () -> context.judge(peer.id(), check.violations())));
        return () -> {
            AcquiredLock grant =
                    locks.acquire(request).orElseThrow(() -> new LockException("A free lock was not granted"));
            check.enters(grant.fencingToken());
            check.leaves();
            grant.release();
        };
    }

    private BenchmarkParticipant open(LockImplementation peer) throws InterruptedException {
        BenchmarkParticipant locks = peer.open();
        ends.add(new End(peer.id(), locks::close));
        return locks;
    }

    /** Judges the violations, and ends the participants and the libraries. */
    @Override
    public void close() {
        for (int end = ends.size() - 1; end >= 0; end--) {
            run(ends.get(end));
        }
        peers.close();
    }

    /** Third-party code may throw any exception. The figures count nevertheless. */
    private void run(End end) {
        try {
            end.action().run();
        } catch (RuntimeException e) {
            context.remark(end.peer() + " failed when it was closed: "
                    + ConnectionErrors.firstLine(new LockException(e.toString(), e)));
        }
    }
}
