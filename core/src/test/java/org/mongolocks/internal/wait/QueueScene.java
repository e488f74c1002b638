package org.mongolocks.internal.wait;

import com.mongodb.client.model.changestream.OperationType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.acquire.Acquisition;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Step;

/** A fixture of fair acquisitions of several clients that wait for one lock, step by step. */
abstract class QueueScene {
    static final Duration PATIENT = Duration.ofMinutes(10);
    /** How long it takes at least until the ticket of a waiter that is granted a released lock is removed. */
    static final Duration REMOVAL = FairWaiterQueue.MIN_REMOVAL_EXPECTED;

    /** How long each client has to claim a released lock. */
    static final Duration CLAIM = FairWaiterQueue.NOT_CLAIMED_AFTER;

    static final Duration MOMENT = Duration.ofMillis(1);
    /** The time between a release and the grant. */
    static final Duration COMMAND = Duration.ofMillis(5);

    final Lab lab = new Lab();
    final FakeQueue queue = new FakeQueue(lab.time);
    final FakeStrategy strategy = new FakeStrategy() {
        @Override
        public Step<Optional<LockSnapshot>> inspect(LockName name) {
            calls.add("inspect");
            LockSnapshot seen = lock();
            duringInspection.run();
            return Step.done(Optional.of(seen));
        }
    };
    final List<Client> clients = new ArrayList<>();
    final List<Waiter> served = new ArrayList<>();
    Runnable duringInspection = () -> {};
    private boolean isFree;
    private boolean isEndUnknown;
    private long revision = 1;
    private long leaseEndNanos = lab.time.nanoTime() + Duration.ofHours(1).toNanos();
    private int numbers;
    private int owners;

    QueueScene() {
        strategy.answers(this::askForLock).releases(Step.done(true));
    }

    private Step<LockOutcome> askForLock(AcquireContext context) {
        if (lock().isHeld()) {
            return Step.done(new LockOutcome.Contended(lock()));
        }
        isTaken(Duration.ofHours(1));
        return Step.done(context.acquired(1));
    }

    private LockSnapshot lock() {
        Duration left = Duration.ofNanos(Math.max(0, leaseEndNanos - lab.time.nanoTime()));
        Optional<String> holder = isFree ? Optional.empty() : Optional.of("other");
        return new LockSnapshot(
                Lab.NAME,
                holder,
                1,
                revision,
                Optional.empty(),
                Optional.empty(),
                Lab.TTL,
                Optional.of(left).filter(known -> !isEndUnknown));
    }

    /** Shows no end of leases from now on. */
    void remainsUnknown() {
        isEndUnknown = true;
    }

    /** Acquires or renews the lock for an owner that is not in the queue. */
    void isTaken(Duration lease) {
        isFree = false;
        revision++;
        leaseEndNanos = lab.time.nanoTime() + lease.toNanos();
    }

    Client client() {
        Client client = new Client();
        clients.add(client);
        return client;
    }

    void isFree() {
        isFree = true;
        revision++;
    }

    /** Releases the lock of its holder, and notifies all clients with a change stream. */
    void release() {
        isFree();
        clients.forEach(client -> client.hears(OperationType.REPLACE));
    }

    /** Releases the lock, which is granted to the first ticket, and lets time pass until the next should be the first. */
    void handOver() {
        release();
        lab.time.advance(COMMAND);
        settle();
        elapse(FairWaiterQueue.MIN_REMOVAL_EXPECTED.minus(COMMAND));
    }

    /** Lets time pass, and runs all waiters. */
    void elapse(Duration time) {
        lab.time.advance(time);
        clients.stream().flatMap(client -> client.waiters.stream()).forEach(Waiter::looksAgain);
        settle();
    }

    /** Runs all waiters until none is woken any more. */
    void settle() {
        List<Waiter> woken;
        do {
            woken = clients.stream()
                    .flatMap(client -> client.waiters.stream())
                    .filter(Waiter::wasWoken)
                    .toList();
            woken.forEach(Waiter::looksAgain);
        } while (!woken.isEmpty());
    }

    /** Returns how often the lock was inspected. */
    long looks() {
        return strategy.calls.stream().filter("inspect"::equals).count();
    }

    /** Adds a waiter for each of several clients, which die. */
    List<Waiter> deadWaiters(int count) {
        List<Client> dead = Stream.generate(this::client).limit(count).toList();
        List<Waiter> waiters = dead.stream().map(Client::waiter).toList();
        dead.forEach(Client::dies);
        return waiters;
    }

    /** Lets time pass in small steps, and runs each waiter when it is due. */
    void elapseUntil(Duration time) {
        settle();
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(MOMENT)) {
            lab.time.advance(MOMENT);
            clients.stream()
                    .flatMap(client -> client.waiters.stream())
                    .filter(Waiter::isDue)
                    .toList()
                    .forEach(Waiter::looksAgain);
            settle();
        }
    }

    /** One client. */
    final class Client {
        final int number = ++numbers;
        final ScriptedFeed feed = new ScriptedFeed();
        final WaiterQueues queues = new WaiterQueues(lab.settings(strategy), feed);
        final List<Waiter> waiters = new ArrayList<>();

        Waiter waiter() {
            return waiter(Lab.request(PATIENT).fair());
        }

        Waiter waiter(LockRequest request) {
            Waiter waiter = new Waiter(this, request);
            waiters.add(waiter);
            return waiter;
        }

        /** Opens its change stream. */
        Client listens() {
            feed.tellsThatItIsOpen();
            settle();
            return this;
        }

        void hears(OperationType type) {
            if (feed.opened() > 0) {
                feed.tells(type, Lab.NAME.value(), revision);
            }
        }

        /** Stops the client. */
        void dies() {
            clients.remove(this);
        }
    }

    /** One acquisition; its commands are answered at once, and it stops when it has to wait. */
    final class Waiter {
        final Client client;
        final Owner owner;
        private final Acquisition acquisition;
        private Step<LockOutcome> step;
        private long sinceNanos;

        Waiter(Client client, LockRequest request) {
            this.client = client;
            owner = new Owner("lab-" + client.number, new UUID(0, ++owners));
            acquisition = new Acquisition(lab.settings(strategy), request, owner, client.queues);
            step = acquisition.start();
            goOn();
        }

        Waiter looksAgain() {
            if (step instanceof Step.Pause<LockOutcome> pause) {
                step = pause.then().get();
                goOn();
            }
            return this;
        }

        boolean wasWoken() {
            return step instanceof Step.Pause<LockOutcome> pause
                    && pause.wakeUp().orElseThrow().isDone();
        }

        /** Returns whether it was not woken until the end of its pause. */
        boolean isDue() {
            return isWaiting() && lab.time.nanoTime() - sinceNanos >= pause().toNanos();
        }

        boolean isWaiting() {
            return step instanceof Step.Pause;
        }

        /** Returns how long it waits unless it is woken. */
        Duration pause() {
            return ((Step.Pause<LockOutcome>) step).delay();
        }

        boolean isAcquired() {
            return step instanceof Step.Done<LockOutcome> done && done.result() instanceof LockOutcome.Acquired;
        }

        boolean isContended() {
            return step instanceof Step.Done<LockOutcome> done && done.result() instanceof LockOutcome.Contended;
        }

        /** Interrupts it: it compensates. */
        void isInterrupted() {
            if (acquisition.needsCompensation()) {
                answered(acquisition.compensate());
            }
            acquisition.close();
        }

        private void goOn() {
            step = answered(step);
            sinceNanos = lab.time.nanoTime();
            if (!isWaiting()) {
                acquisition.close();
                if (isAcquired()) {
                    served.add(this);
                }
            }
        }

        private <R> Step<R> answered(Step<R> first) {
            Step<R> next = first;
            while (true) {
                if (next instanceof Step.Call<R> call) {
                    next = call.then().apply(queue.answer(call.op()));
                } else if (next instanceof Step.Pause<R> pause && pause.wakeUp().isEmpty()) {
                    lab.time.advance(pause.delay());
                    next = pause.then().get();
                } else {
                    return next;
                }
            }
        }
    }
}
