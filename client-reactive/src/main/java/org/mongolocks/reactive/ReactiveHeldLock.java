package org.mongolocks.reactive;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.Lease;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LossListener;
import org.mongolocks.LossReason;
import org.mongolocks.internal.Hold;
import org.mongolocks.internal.Renewing;
import reactor.core.publisher.Mono;

/**
 * Is a lock that was acquired. It belongs to no thread and to no subscriber: any may use it, and it is thread-safe.
 *
 * <p>It is held until it is released or its lease ends, whichever comes first. Nothing renews it by itself. A pause of
 * this JVM can outlast the lease without being noticed, so that {@link #isHeld()} is an aid for stopping early and not a
 * proof: write what the lock guards with {@link #fencingToken()}, and have smaller tokens refused.
 *
 * <p>Each {@code Mono} does its work anew for each subscriber, and nothing before. Signals come on the driver's threads:
 * do not block there.
 */
public final class ReactiveHeldLock {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final ReactiveLockClient client;
    private final Hold hold;

    ReactiveHeldLock(ReactiveLockClient client, Hold hold) {
        this.client = client;
        this.hold = hold;
    }

    /**
     * Gives the number of this grant: larger than that of every earlier grant of this lock, by any client. No round
     * trip.
     *
     * @return the token, at least 1
     */
    public long fencingToken() {
        return hold.lease().fencingToken();
    }

    /**
     * Gives the newest lease. No round trip.
     *
     * @return the lease, with its end after the newest renewal
     */
    public Lease lease() {
        return hold.lease();
    }

    /**
     * Tells whether the lease has not ended, by this JVM's monotonic clock, and no loss is known. When it finds that the
     * lease has ended it tells the listeners. No round trip.
     *
     * @return false once the lock was released or lost
     */
    public boolean isHeld() {
        return hold.isHeld();
    }

    /**
     * Tells how much of the lease is left, by this JVM's monotonic clock. No round trip.
     *
     * @return the time left; zero once the lock was released or lost
     */
    public Duration remaining() {
        return hold.remaining();
    }

    /**
     * Tells why the lock was lost, as far as this handle knows. No round trip.
     *
     * @return the reason, or empty while no loss is known
     */
    public Optional<LossReason> loss() {
        return hold.loss();
    }

    /**
     * Has a listener told when the lock is lost. It is told at most once: on the thread that finds out in
     * {@link #renew()} or {@link #isHeld()}, or at once by this thread if the loss is known already. A lock that was
     * released is not lost.
     *
     * @param listener whom to tell; it should return soon
     */
    public void onLost(LossListener listener) {
        hold.onLost(listener);
    }

    /**
     * Gives the loss of this lock as a signal.
     *
     * @return emits the reason when the lock is lost; never emits otherwise. No round trip.
     */
    public Mono<LossReason> lost() {
        return Mono.create(sink -> hold.onLost((lease, reason) -> sink.success(reason)));
    }

    /**
     * Makes the lease last a whole ttl from now. One round trip, more after faults. A lease that has ended on this JVM's
     * clock is not brought back: that is a loss, found without a round trip. While the server gives no answer the old
     * end of the lease stands, and the question is asked again until then. Cancelling leaves open whether the lease was
     * renewed.
     *
     * @return emits true if the lease is longer now; false if the lock is lost or was released: stop the guarded work.
     *     Fails with {@link LockException} if the server gave no answer, or refused; the lock may still be held for
     *     {@link #remaining()}.
     */
    public Mono<Boolean> renew() {
        return client.run("Renewing", hold.lease().name(), () -> new Renewing(client.settings(), hold.lease()).start())
                .map(this::renewed);
    }

    /**
     * Gives the lock back. One round trip, more after faults; none if it was given back before. Once subscribed it goes
     * on to its end, also if it is cancelled. A release that failed can be repeated.
     *
     * @return emits true if the lock was held until now; false if it had been lost (another may have held it meanwhile)
     *     or given back before. Fails with {@link LockException} if the server refused, or gave no answer for about
     *     twice the time limit of a command; the lock then stays until its ttl has passed or it is released again.
     */
    public Mono<Boolean> release() {
        return Mono.defer(() ->
                        client.runToEnd("Releasing", hold.lease().name(), () -> hold.releasing(client.settings())))
                .doOnError(error -> hold.notReleased());
    }

    /**
     * Gives the lock back as {@link #release()} does, and never fails: that the lock had been lost, or that the server
     * gave no answer, is said in the log.
     *
     * @return completes when that is done
     */
    public Mono<Void> close() {
        return Mono.defer(() -> hold.isSettled()
                        ? Mono.empty()
                        : release().doOnNext(this::warnUnless).then())
                .onErrorResume(RuntimeException.class, this::warn);
    }

    /** Ends work that was done under the lock; a fault does not hide from its author that it was done in time. */
    Mono<Boolean> finish() {
        return Mono.defer(() -> {
            boolean inTime = !hold.remaining().isZero();
            return release()
                    .onErrorResume(LockException.class, e -> inTime ? report(e) : Mono.error(lossDuringWork(e)))
                    .flatMap(held -> held || hold.loss().isEmpty() ? Mono.just(true) : Mono.error(lossDuringWork()));
        });
    }

    /** Describes the lock for people. */
    @Override
    public String toString() {
        Lease lease = hold.lease();
        return "Lock '" + lease.name() + "' (owner " + lease.owner() + ", token " + lease.fencingToken() + ")";
    }

    private boolean renewed(Renewing.Result result) {
        if (result instanceof Renewing.Result.Extended extended) {
            hold.extended(extended.lease());
            return hold.isHeld();
        }
        hold.lost(((Renewing.Result.Lost) result).reason());
        return false;
    }

    private Mono<Boolean> report(LockException e) {
        LOG.log(WARNING, this + " could not be given back after the work; it stays until its ttl has passed", e);
        return Mono.just(true);
    }

    private LockLostException lossDuringWork(LockException... hidden) {
        LockLostException lost =
                new LockLostException(hold.lease().name(), hold.loss().orElse(LossReason.EXPIRED));
        Stream.of(hidden).forEach(lost::addSuppressed);
        return lost;
    }

    private void warnUnless(boolean released) {
        if (!released) {
            LOG.log(WARNING, "{0} had been lost before it was given back", this);
        }
    }

    private Mono<Void> warn(RuntimeException e) {
        LOG.log(INFO, this + " could not be given back; it stays until its ttl has passed", e);
        return Mono.empty();
    }
}
