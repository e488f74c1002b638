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
import org.mongolocks.benchmarks.run.ProtectedData.Violations;
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

    /** A factory of the operation of a lock. */
    @FunctionalInterface
    private interface Factory {
        Operation operation(LockImplementation peer) throws InterruptedException;
    }

    /** What is left to do for a lock at the end. */
    private record End(String peer, Runnable action) {}

    /** Adds the libraries to a run. */
    PeerOperations(BenchmarkContext context, OtherLibraries libraries) throws InterruptedException {
        this.context = context;
        this.peers = new LocksUnderTest(context, libraries.enter(context));
    }

    /** Returns for each library the acquisition and release of a lock without contention. */
    List<MeasuredOperation> uncontended(BenchmarkFixture fixture) throws InterruptedException {
        return operations(fixture, Baseline.TWO_FIND_AND_MODIFY, this::acquireAndRelease);
    }

    /** Returns for each library one attempt at a lock that another owner holds. */
    List<MeasuredOperation> denied(BenchmarkFixture fixture) throws InterruptedException {
        return operations(fixture, Baseline.FIND_AND_MODIFY, this::attempt);
    }

    private List<MeasuredOperation> operations(BenchmarkFixture fixture, Baseline baseline, Factory factory)
            throws InterruptedException {
        List<MeasuredOperation> operations = new ArrayList<>();
        peers.each(peers.contenders(), peer -> {
            MeasuredOperation operation = MeasuredOperation.of(fixture.subject(peer.id()), factory.operation(peer));
            boolean hasBaseline = peer.commands().isPresent();
            operations.add(hasBaseline ? operation.over(fixture.baseline(baseline)) : operation);
        });
        return operations;
    }

    private Operation acquireAndRelease(LockImplementation peer) throws InterruptedException {
        LockRequest request = request();
        SingleHolderCheck check = new SingleHolderCheck();
        BenchmarkParticipant locks = open(peer);
        ends.add(new End(peer.id(), () -> context.judge(peer.id(), check.violations())));
        return () -> {
            AcquiredLock grant = granted(locks, request);
            check.enters(grant.fencingToken());
            check.leaves();
            grant.release();
        };
    }

    private Operation attempt(LockImplementation peer) throws InterruptedException {
        LockRequest request = request();
        BenchmarkParticipant holder = open(peer);
        BenchmarkParticipant other = open(peer);
        AcquiredLock grant = granted(holder, request);
        ends.add(new End(peer.id(), grant::release));
        return () -> {
            if (other.acquire(request).isPresent()) {
                context.judge(peer.id(), new Violations(1, 0, 0));
            }
        };
    }

    private BenchmarkParticipant open(LockImplementation peer) throws InterruptedException {
        BenchmarkParticipant locks = peer.open();
        ends.add(new End(peer.id(), locks::close));
        return locks;
    }

    private static LockRequest request() {
        return LockRequest.of("peer-" + UUID.randomUUID(), UncontendedLock.TTL);
    }

    private static AcquiredLock granted(BenchmarkParticipant locks, LockRequest request) throws InterruptedException {
        return locks.acquire(request).orElseThrow(() -> new LockException("A free lock was not granted"));
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
