package org.mongolocks.reactive;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import com.mongodb.reactivestreams.client.ClientSession;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.mongolocks.EndangeredListener;
import org.mongolocks.Lease;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LossListener;
import org.mongolocks.LossReason;
import org.mongolocks.internal.Hold;
import org.mongolocks.internal.RenewalGate;
import org.mongolocks.internal.Renewing;
import org.mongolocks.internal.Share;
import org.mongolocks.spi.Step;
import reactor.core.publisher.Mono;

/**
 * Is a lock that was acquired. It belongs to no thread and to no subscriber: any may use it, and it is thread-safe.
 *
 * <p>It is held until it is released or its lease ends, whichever comes first. The client renews it by itself only if the
 * request asked for {@linkplain org.mongolocks.LockRequest#keepAlive() keep-alive}; in either case it tells the listeners
 * when the lock is lost, before the lease ends on the server. Closing the client gives the lock back. A pause of this JVM can outlast the lease without being noticed, so that {@link #isHeld()} is an aid for stopping early and not a
 * proof: write what the lock guards with {@link #fencingToken()}, and have smaller tokens refused.
 *
 * <p>Each {@code Mono} does its work anew for each subscriber, and nothing before. Signals come on the driver's threads:
 * do not block there.
 */
public final class ReactiveHeldLock {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final Programs programs;
    private final Hold hold;
    private final Share share;

    ReactiveHeldLock(Programs programs, Hold hold) {
        this(programs, hold, Share.sole());
    }

    /** One of several handles, if the lock was entered several times. */
    ReactiveHeldLock(Programs programs, Hold hold, Share share) {
        this.programs = programs;
        this.hold = hold;
        this.share = share;
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
     * Tells whether the lease has not ended, by this JVM's monotonic clock and less the client's skew margin, and no loss
     * is known. When it finds that the lease has ended it has the listeners told. No round trip.
     *
     * @return false once the lock was released or lost
     */
    public boolean isHeld() {
        return hold.isHeld() && !share.isGivenBack();
    }

    /**
     * Tells how much of the lease is left, by this JVM's monotonic clock and less the client's skew margin. No round trip.
     *
     * @return the time left; zero once the lock was released or lost
     */
    public Duration remaining() {
        return share.isGivenBack() ? Duration.ZERO : hold.remaining();
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
     * Has a listener told when the lock is lost. It is told at most once, on a thread of the client's listeners: when the
     * client's timer finds that the lease has ended, when a renewal finds that the lock is not ours, when the client is
     * closed, or now if the loss is known already. A lock that was released is not lost.
     *
     * @param listener whom to tell; one that blocks delays only the other listeners of this lock
     */
    public void onLost(LossListener listener) {
        hold.onLost(share.whileHeld(listener));
    }

    /**
     * Gives the loss of this lock as a signal. It waits for no listener of this lock.
     *
     * @return emits the reason when the lock is lost, on a thread of the client's listeners; never emits otherwise. No
     *     round trip.
     */
    public Mono<LossReason> lost() {
        return Mono.create(sink -> {
            LossListener listener = (lease, reason) -> sink.success(reason);
            sink.onDispose(() -> hold.forget(listener));
            hold.onLostAtOnce(listener);
        });
    }

    /**
     * Has a listener warned when so much of the lease is left, or less: once each time that the lease comes so near to
     * its end, on a thread of the client's listeners, before the loss is told. A renewal that moves the end away lets it
     * be warned again at the next approach. If the end is near already it is warned now.
     *
     * <p>With keep-alive two thirds of the lease are left when it is renewed: a warning at half of the ttl or less means
     * that renewals fail.
     *
     * @param remaining how much is left then; more than zero, less than the ttl
     * @param listener whom to warn
     * @throws IllegalArgumentException if the time is out of bounds
     */
    public void onEndangered(Duration remaining, EndangeredListener listener) {
        hold.onEndangered(remaining, listener);
    }

    /**
     * Makes the lease last a whole ttl from now. One round trip, more after faults. A lease that has ended on this JVM's
     * clock is not brought back: that is a loss, found without a round trip. While the server gives no answer the old
     * end of the lease stands, and the question is asked again until then. Cancelling leaves open whether the lease was
     * renewed.
     *
     * @return emits true if the lease is longer now; false if the lock is lost or was released: stop the guarded work.
     *     Fails with {@link LockException} if the server gave no answer, or refused; the lock may still be held for
     *     {@link #remaining()}. Fails with {@link IllegalStateException} while a {@linkplain #inTransaction guarded
     *     transaction} is open, which renews it itself.
     */
    public Mono<Boolean> renew() {
        return Mono.defer(() -> share.isGivenBack() || hold.loss().equals(Optional.of(LossReason.CLIENT_CLOSED))
                ? Mono.just(false)
                : Mono.using(this::enter, this::renewal, RenewalGate::leave).map(result -> result.noteIn(hold)));
    }

    /**
     * Does work in one transaction that is committed only if the lock is held until then. Its first operation touches the
     * lock document: whoever wants to take the lock, or force it free, waits for the end of the transaction or conflicts
     * with it. Once committed, the lease lasts a whole ttl from the touch on. Two round trips, and those of the work. See
     * <em>Keeping data safe</em> in the documentation for what does not go in a transaction.
     *
     * <p>It takes no longer than the lease has left and than a minute, and as long again for a commit or an abort that is not
     * answered: renew before, if little is left. Meanwhile the lock is not renewed, and a loss cancels the work. A passing fault of the transaction
     * has all of it repeated while the lease lasts. Cancelling ends it, and nothing is written; but a commit that is under
     * way is brought to its end.
     *
     * @param work gives reads and writes by the session that it is given, in collections of the driver's client that the
     *     lock client was built with. It may be called again, when nothing is left of the time before: do nothing that the
     *     transaction does not take back, let the driver's errors out, and leave the bounds of the transaction alone.
     * @param <R> what the work results in
     * @return emits what the work emitted, or nothing if it emitted nothing; all of it is written. Fails with what the work
     *     failed with, and nothing is written and the lock is still held; with {@link LockLostException} if the lock was
     *     lost before the commit, and nothing is written; with {@link org.mongolocks.IndeterminateCommitException} if no
     *     commit was answered, and all is written or nothing; with {@link org.mongolocks.UnsupportedServerException} if
     *     the server has no transactions; with {@link LockException} if the server refused, and nothing is written; with
     *     {@link IllegalStateException} if the lock was given back, or guards another transaction at this time.
     */
    public <R> Mono<R> inTransaction(Function<ClientSession, Mono<R>> work) {
        return Mono.defer(() -> new GuardedWork<>(programs, hold, lost(), work).run());
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
        return Mono.defer(() -> {
            Share.Part part = share.giveBack();
            return part == Share.Part.LAST
                    ? releaseHold()
                    : Mono.just(part == Share.Part.ONE_OF_SEVERAL && hold.isHeld());
        });
    }

    /**
     * Gives the lock back as {@link #release()} does, and never fails: that the lock had been lost, or that the server
     * gave no answer, is said in the log.
     *
     * @return completes when that is done
     */
    public Mono<Void> close() {
        return Mono.defer(() -> share.isGivenBack() || hold.isSettled()
                        ? Mono.empty()
                        : release().doOnNext(this::warnUnless).then())
                .onErrorResume(RuntimeException.class, this::warn);
    }

    private Mono<Boolean> releaseHold() {
        LockName name = hold.lease().name();
        return programs.runToEnd(
                        "Releasing", name, () -> programs.room().freeing(name, hold.releasing(programs.settings())))
                .doOnError(error -> hold.notReleased())
                .doFinally(signal -> share.released());
    }

    EndOfWork endOfWork() {
        return new EndOfWork(this, hold);
    }

    /** Describes the lock for people. */
    @Override
    public String toString() {
        Lease lease = hold.lease();
        return "Lock '" + lease.name() + "' (owner " + lease.owner() + ", token " + lease.fencingToken() + ")";
    }

    private RenewalGate enter() {
        RenewalGate gate = RenewalGate.of(hold);
        gate.requireEntry(hold.lease().name());
        return gate;
    }

    private Mono<Renewing.Result> renewal(RenewalGate entered) {
        return programs.run("Renewing", hold.lease().name(), this::renewing);
    }

    private Step<Renewing.Result> renewing() {
        hold.renewing();
        return new Renewing(programs.settings(), hold.lease()).start();
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
