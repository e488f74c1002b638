package org.mongolocks.contract.soak;

import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;

/** A thread that acquires, works and releases in a loop; now and then it pauses, or closes its client. */
final class Worker implements Runnable {
    static final Duration TTL = Duration.ofSeconds(2);

    private static final double KEPT_ALIVE = 0.6;
    private static final double PAUSED = 0.02;
    private static final double REOPENING = 0.01;
    private static final double LONG_WORK = 0.03;

    private final Party party;
    private final Findings findings;
    private final SplittableRandom random;
    private final BooleanSupplier goesOn;

    Worker(Party party, Findings findings, SplittableRandom random, BooleanSupplier goesOn) {
        this.party = party;
        this.findings = findings;
        this.random = random;
        this.goesOn = goesOn;
    }

    @Override
    public void run() {
        try {
            while (goesOn.getAsBoolean()) {
                step();
            }
        } catch (InterruptedException e) {
            findings.violated(party.name() + ": a worker was interrupted unexpectedly");
        }
    }

    /** A fault may only show as an error of the call. */
    private void step() throws InterruptedException {
        try {
            if (random.nextDouble() < REOPENING) {
                findings.count("clients closed");
                party.reopen();
            }
            round(party.locks().get(random.nextInt(party.locks().size())));
        } catch (IndeterminateLockException e) {
            findings.count("unknown outcomes");
        } catch (LockException e) {
            findings.count("failed commands");
        } catch (IllegalStateException e) {
            closedOrBroken(e);
        } catch (RuntimeException e) {
            findings.violated(party.name() + ": " + e);
        }
    }

    /** Another worker may have closed the client at this moment. */
    private void closedOrBroken(IllegalStateException e) throws InterruptedException {
        String said = String.valueOf(e.getMessage());
        if (said.contains("closed")) {
            findings.count("refused by a closed client");
            TimeUnit.MILLISECONDS.sleep(random.nextInt(50));
        } else {
            findings.violated(party.name() + ": " + e);
        }
    }

    private void round(Guarded guarded) throws InterruptedException {
        LockRequest request = new LockRequest(guarded.name(), TTL, Duration.ofMillis(random.nextInt(3_000)));
        boolean keptAlive = random.nextDouble() < KEPT_ALIVE;
        long newest = guarded.ledger().newest();
        Optional<BlockingLock> acquired = party.client().acquire(keptAlive ? request.keepAlive() : request);
        findings.count(acquired.isPresent() ? "grants" : "contended");
        if (acquired.isPresent()) {
            findings.count("grants of " + party.name());
            guarded.ledger().granted(acquired.get().fencingToken(), newest);
            hold(guarded, acquired.get());
        }
    }

    private void hold(Guarded guarded, BlockingLock lock) throws InterruptedException {
        long since = System.nanoTime();
        long until = work(guarded, lock, since);
        guarded.ledger().held(lock.fencingToken(), since, until);
        if (!lock.release()) {
            findings.count("releases of what was lost");
        }
    }

    /** Returns the last time at which the holder checked that it held the lock. */
    private long work(Guarded guarded, BlockingLock lock, long since) throws InterruptedException {
        long token = lock.fencingToken();
        int writes = random.nextDouble() < LONG_WORK ? 200 : 1 + random.nextInt(4);
        boolean pauses = random.nextDouble() < PAUSED;
        long until = since;
        long looked = System.nanoTime();
        while (writes-- > 0 && lock.isHeld()) {
            until = looked;
            if (!guarded.data().write(token)) {
                refused(lock, token);
            }
            TimeUnit.MILLISECONDS.sleep(random.nextInt(20));
            looked = System.nanoTime();
        }
        return pauses ? pausedUntil(guarded, lock, until) : until;
    }

    /** Sleeps past the end of the lease, like a paused process; the fence must refuse its later writes. */
    private long pausedUntil(Guarded guarded, BlockingLock lock, long until) throws InterruptedException {
        findings.count("pauses");
        TimeUnit.MILLISECONDS.sleep(TTL.toMillis() * 3 / 2);
        long looked = System.nanoTime();
        boolean held = lock.isHeld();
        if (!guarded.data().write(lock.fencingToken())) {
            refused(lock, lock.fencingToken());
        }
        return held ? looked : until;
    }

    /** Checks that the lock is no longer held, because the document has seen a larger token. */
    private void refused(BlockingLock lock, long token) {
        findings.count("stale writes refused");
        if (lock.isHeld()) {
            findings.violated(party.name() + ": a larger token than " + token + " has written while it was held");
        }
    }
}
