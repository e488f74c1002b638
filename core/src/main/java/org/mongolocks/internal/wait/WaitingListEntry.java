package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockSnapshot;
import org.mongolocks.internal.wait.ReleaseEvents.ListMember;
import org.mongolocks.internal.wait.ReleaseEvents.Release;
import org.mongolocks.spi.AcquireContext.Registration;
import org.mongolocks.spi.LockStrategy.LockOutcome;

/**
 * The entry of one client in the list of the clients that wait for one lock, as far as the client knows; see
 * {@link org.mongolocks.spi.LockStrategy#waitingList}. A client adds itself by an attempt that finds the lock held by
 * another client. A release removes the first entry, and its event shows which clients are left: the one that was
 * removed claims the lock, and the others wait for their turn. If the lock is not claimed, the next client attempts
 * after {@link #CLAIM_EXPECTED}, and each further one as much later: a client that has died costs one such delay.
 *
 * <p>A client that is {@linkplain ListMember#NEAR far back} gets no event until it is near, or not in the list: it
 * knows its place from its registration. If all near clients have died, it attempts when it would without any event,
 * each {@link #CLAIM_EXPECTED} later for each client that was before it. Guarded by its {@link WaiterQueues}.
 *
 * <pre>
 * state     event                                             to        what to do
 * -------   -----------------------------------------------   -------   -----------------------------
 * ABSENT    an attempt that adds the client                   ASKED
 * ASKED     held, with a place                                LISTED    attempt when the lease ends
 * ASKED     free, with a place                                LISTED    attempt if nobody claims it
 * LISTED    the release before that, without a list           LISTED    attempt now
 * ASKED     contended, without a place                        ABSENT    attempt a little later
 * any       a newer release, and the client is in the list    LISTED    attempt if nobody claims it
 * LISTED    a newer release, and it is not in the list        ABSENT    attempt now
 * ABSENT    the same, and it may have been in the list        ABSENT    attempt now
 * ABSENT    the same, and it was not in the list              ABSENT    attempt a little later, to join
 * any       a newer release without a list; a new stream      ABSENT    attempt now
 * </pre>
 *
 * <p>The revision of the lock shows whether a release came before the registration or after it: events arrive later
 * than replies.
 */
final class WaitingListEntry {
    /** How long a client whose turn it is has for its attempt. */
    static final Duration CLAIM_EXPECTED = EventLag.MAX_TIMELY;
    /** How long after a release a client that is not in the list attempts: the lock is claimed by then. */
    static final Duration BEFORE_JOINING = Duration.ofMillis(50);

    /** How much later a client looks at a lock, in case that events are missing, for each client before it. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
    /** Far back in a long list the known place is old: many of those before may have had the lock since. */
    private static final Duration MAX_TURNS_OF_OTHERS = Duration.ofSeconds(9);

    private static final Duration MAX_BEFORE_JOINING = Duration.ofSeconds(10);
    private static final int MAX_DOUBLINGS = 10;

    private State state = State.ABSENT;
    private boolean mayBeStored;
    private boolean mayBeStoredBefore;
    private boolean isClaiming;
    private boolean mayClaimAgain;
    private boolean hasLostClaim;
    private boolean wentFirst;
    private boolean othersWait;
    private int failedInARow;
    private long revision;
    private OptionalLong releasedRevision = OptionalLong.empty();
    private OptionalLong newestRevision = OptionalLong.empty();
    private boolean passesOthers;
    private int place;
    private @Nullable Release whileAsked;

    private enum State {
        ABSENT,
        ASKED,
        LISTED
    }

    /** What a client does after a release, or after a reply. */
    enum Turn {
        /** Attempts now: the lock is for this client. */
        CLAIM,
        /** Attempts after {@link #delay}, unless another event comes before. */
        LATER,
        /** Attempts after {@link #afterTurnOfOther}, unless another event comes before. */
        AFTER_TURN_OF_OTHER,
        /** Nothing new. */
        NONE
    }

    /** Returns whether other clients wait for the lock, as the newest event shows. */
    boolean othersWait() {
        return othersWait;
    }

    /** Returns whether an attempt has begun that adds the client, and that was not answered. */
    boolean isAsked() {
        return state == State.ASKED;
    }

    boolean isListed() {
        return state == State.LISTED;
    }

    /** Returns whether the list on the server may have an entry of this client. */
    boolean mayBeStored() {
        return mayBeStored;
    }

    /**
     * Returns whether the client may be {@linkplain ListMember#NEAR far back} in the list, so that its stream may leave
     * out releases. It is nearer than the known place, unless clients that lost their turn went first meanwhile.
     */
    boolean mayBeFarBack() {
        return mayBeStored && (state != State.LISTED || place >= ListMember.NEAR);
    }

    /** Returns whether other clients have their turn before this one: it looks at the lock before it attempts. */
    boolean looksFirst() {
        return state == State.LISTED && place > 0;
    }

    /**
     * Records that the lock was seen free, or with a lease that has ended, at the end of the wait for the clients whose
     * turn comes before.
     *
     * @return whether nobody has claimed it meanwhile: this client attempts now, and its grant removes those clients from
     *     the list. Otherwise it waits for them once more.
     */
    boolean seenFree(long nowRevision) {
        passesOthers = newestRevision.isPresent() && newestRevision.getAsLong() == nowRevision;
        newestRevision = OptionalLong.of(nowRevision);
        return passesOthers;
    }

    /** Returns whether the clients before this one have not claimed the lock in their turns, so that it acquires it. */
    boolean passesOthers() {
        return passesOthers;
    }

    /** Returns the entry that the attempt that begins now adds. */
    Registration ask(long client, boolean isTurnOfOther) {
        state = State.ASKED;
        mayBeStoredBefore = mayBeStored;
        mayBeStored = true;
        whileAsked = null;
        return new Registration(client, hasLostClaim, isTurnOfOther && !isClaiming);
    }

    /** Records the reply to an attempt that did not acquire the lock. */
    Turn contended(LockOutcome.Contended seen) {
        OptionalInt newPlace = seen.place();
        LockSnapshot lock = seen.holder();
        newestRevision = OptionalLong.of(lock.revision());
        passesOthers = false;
        hasLostClaim |= isClaiming && !wentFirst;
        isClaiming = false;
        if (newPlace.isPresent()) {
            mayBeStored = true;
            revision = lock.revision();
        }
        if (state != State.ASKED) {
            return Turn.NONE;
        }
        Release missed = whileAsked;
        whileAsked = null;
        if (newPlace.isEmpty()) {
            state = State.ABSENT;
            mayBeStored = mayBeStoredBefore;
            failedInARow++;
            return missed != null && !missed.hasList() && !missed.isBefore(lock.revision()) ? Turn.CLAIM : Turn.LATER;
        }
        state = State.LISTED;
        place = newPlace.getAsInt();
        wentFirst = hasLostClaim;
        hasLostClaim = false;
        failedInARow = 0;
        Turn turn = missed == null ? Turn.NONE : released(missed);
        return turn == Turn.NONE && lock.holder().isEmpty() ? Turn.AFTER_TURN_OF_OTHER : turn;
    }

    /** Records that an attempt ended without a reply that shows the lock. */
    Turn unanswered() {
        passesOthers = false;
        Release missed = whileAsked;
        whileAsked = null;
        state = state == State.ASKED ? State.ABSENT : state;
        return missed == null ? Turn.NONE : released(missed);
    }

    /**
     * Returns whether to repeat at once an attempt of this client in its turn that conflicted with another write: once,
     * since that was probably the registration of another client.
     */
    boolean claimsAgain() {
        boolean claimsAgain = isClaiming && mayClaimAgain;
        mayClaimAgain = false;
        return claimsAgain;
    }

    /** Records that this client holds the lock. */
    void granted() {
        isClaiming = false;
        hasLostClaim = false;
        wentFirst = false;
        if (state == State.ASKED) {
            state = State.ABSENT;
            mayBeStored = mayBeStoredBefore;
        }
    }

    /** Records a release. */
    Turn released(Release release) {
        releasedRevision = release.revisionSeen();
        newestRevision = releasedRevision;
        passesOthers = false;
        if (state == State.ASKED) {
            whileAsked = release;
            return Turn.NONE;
        }
        boolean isNewer = !release.isBefore(revision + 1);
        if (state == State.LISTED && !isNewer) {
            return release.revision() == revision && !release.hasList() ? Turn.CLAIM : Turn.NONE;
        }
        boolean mayBeRemoved = mayBeStored && isNewer && release.place().isEmpty();
        mayBeStored &= state == State.LISTED || !isNewer || release.place().isPresent();
        if (!release.hasList()) {
            forget();
            return Turn.CLAIM;
        }
        if (mayBeRemoved) {
            forget();
            mayBeStored = false;
            isClaiming = true;
            mayClaimAgain = true;
            othersWait = release.waiting().getAsInt() > 0;
            return Turn.CLAIM;
        }
        othersWait = true;
        if (release.place().isPresent()) {
            state = State.LISTED;
            mayBeStored = true;
            place = release.place().getAsInt();
            revision = release.revision();
        }
        return Turn.LATER;
    }

    /** Returns the revision of the lock after the release of the last event; empty if that does not show it. */
    OptionalLong releasedRevision() {
        return releasedRevision;
    }

    /** Records that the list is no longer known. The client may still be in it. */
    void forget() {
        state = State.ABSENT;
        passesOthers = false;
        othersWait = false;
        isClaiming = false;
        failedInARow = 0;
        whileAsked = null;
    }

    /** Records that the client is being removed from the list. */
    void withdrawn() {
        state = State.ABSENT;
        passesOthers = false;
        mayBeStored = false;
    }

    /** Returns how long to wait for the clients whose turn comes before. */
    Duration delay() {
        return state == State.LISTED ? CLAIM_EXPECTED.multipliedBy(place + 1L) : beforeJoining();
    }

    /** Returns how long to wait for those clients after the lock was seen free. */
    Duration turnsOfOthers() {
        Duration turns = afterFirst();
        return turns.compareTo(MAX_TURNS_OF_OTHERS) < 0 ? turns : MAX_TURNS_OF_OTHERS;
    }

    /** Returns how much later than the first client in the list this one looks at a lock that stays held. */
    Duration afterLooksOfOthers() {
        return state == State.LISTED ? BETWEEN_LOOKS.multipliedBy(place) : Duration.ZERO;
    }

    /** Returns how long to wait after a registration in the turn of another client, which has begun its attempt. */
    Duration afterTurnOfOther() {
        return BEFORE_JOINING.plus(afterFirst());
    }

    /** Returns how much later than the first client in the list this one attempts when the lease of a holder ends. */
    Duration afterFirst() {
        return state == State.LISTED ? CLAIM_EXPECTED.multipliedBy(place) : Duration.ZERO;
    }

    /** Doubles with each attempt that added no entry: the list may be full. */
    private Duration beforeJoining() {
        Duration delay = BEFORE_JOINING.multipliedBy(1L << Math.min(failedInARow, MAX_DOUBLINGS));
        return delay.compareTo(MAX_BEFORE_JOINING) < 0 ? delay : MAX_BEFORE_JOINING;
    }
}
