package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.time.ManualTime;

class EventLagTest {
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final Duration LATE = EventLag.MAX_TIMELY.plus(MOMENT);

    private final ManualTime time = new ManualTime(Long.MAX_VALUE - 1_000_000_000L);
    private final EventLag lag = new EventLag(time);

    @Test
    void eventsAreTimelyUntilOneIsLate() {
        lag.grantedByEvent(EventLag.MAX_TIMELY);
        assertThat(lag.isLate()).isFalse();
        assertThat(lag.becameLate()).isFalse();

        lag.grantedByEvent(LATE);
        assertThat(lag.isLate()).isTrue();
    }

    @Test
    void missedEventIsALateOneIfTheLockHasBeenFreeForLong() {
        lag.seenWithoutEvent(EventLag.MAX_TIMELY.dividedBy(2));
        assertThat(lag.isLate()).isFalse();

        lag.seenWithoutEvent(LATE);
        assertThat(lag.isLate()).isTrue();
    }

    /** Waiters that relied on an event poll now. */
    @Test
    void changeToLateIsReportedOnce() {
        lag.grantedByEvent(LATE);
        assertThat(lag.becameLate()).isTrue();

        lag.grantedByEvent(LATE);
        assertThat(lag.becameLate()).isFalse();
    }

    @Test
    void someTimelyEventsInARowEndTheLateness() {
        lag.grantedByEvent(LATE);
        timely(2);
        lag.grantedByEvent(LATE);

        timely(2);
        assertThat(lag.isLate()).isTrue();
        timely(1);
        assertThat(lag.isLate()).isFalse();
    }

    /** A free lock that is seen before its event shows nothing. */
    @Test
    void lockThatWasFreeForAMomentIsNoTimelyEvent() {
        lag.grantedByEvent(LATE);

        for (int look = 0; look < 10; look++) {
            lag.seenWithoutEvent(MOMENT);
        }

        assertThat(lag.isLate()).isTrue();
    }

    /** Otherwise a standby that is granted nothing would poll for days. */
    @Test
    void eventsAreTrustedAgainAMinuteAfterALateOneAndLaterAfterEachFurtherOne() {
        Duration distrusted = Duration.ofMinutes(1);
        for (int failures = 0; failures < 10; failures++) {
            lag.grantedByEvent(LATE);
            time.advance(distrusted);
            assertThat(lag.isLate()).isTrue();
            time.advance(MOMENT);
            assertThat(lag.isLate()).isFalse();
            distrusted = failures < 5 ? distrusted.multipliedBy(2) : Duration.ofHours(1);
        }
    }

    @Test
    void timelyEventsShortenTheDistrustAgain() {
        lag.grantedByEvent(LATE);
        time.advance(Duration.ofMinutes(1).plus(MOMENT));
        assertThat(lag.isLate()).isFalse();
        timely(1);

        lag.grantedByEvent(LATE);
        time.advance(Duration.ofMinutes(1).plus(MOMENT));

        assertThat(lag.isLate()).isFalse();
    }

    @Test
    void lateEventAfterTheDistrustHasEndedIsReportedAgain() {
        lag.grantedByEvent(LATE);
        assertThat(lag.becameLate()).isTrue();
        time.advance(Duration.ofMinutes(1).plus(MOMENT));

        lag.grantedByEvent(LATE);

        assertThat(lag.becameLate()).isTrue();
    }

    /** As for several locks, whose grant does not say it. */
    @Test
    void grantOfALockWhoseTimeIsUnknownIsNotTimely() {
        lag.recordRouter();

        for (int i = 0; i < 10; i++) {
            lag.grantedByEvent(Duration.ZERO);
        }

        assertThat(lag.isLate()).isTrue();
    }

    @Test
    void eventsOfARouterAreLateUntilSomeAreTimely() {
        lag.recordRouter();
        time.advance(Duration.ofDays(1));
        assertThat(lag.isLate()).isTrue();
        assertThat(lag.becameLate()).isFalse();

        timely(3);
        lag.recordRouter();

        assertThat(lag.isLate()).isFalse();
    }

    @Test
    void anotherStreamIsNeededIfNoEventComesForLongAfterOneWasMissed() {
        lag.seenWithoutEvent(LATE);
        time.advance(Duration.ofSeconds(10));
        lag.seenWithoutEvent(LATE);
        assertThat(lag.needsAnotherStream()).isFalse();

        time.advance(Duration.ofSeconds(5).plus(MOMENT));
        assertThat(lag.needsAnotherStream()).isTrue();
        assertThat(lag.needsAnotherStream()).isFalse();
    }

    /** The releases of a strategy of one's own may have no events. */
    @Test
    void anotherStreamThatIsNoBetterIsKeptForTwiceAsLong() {
        lag.seenWithoutEvent(LATE);
        time.advance(Duration.ofSeconds(16));
        assertThat(lag.needsAnotherStream()).isTrue();
        lag.streamOpened();

        lag.seenWithoutEvent(LATE);
        time.advance(Duration.ofSeconds(30));
        assertThat(lag.needsAnotherStream()).isFalse();
        time.advance(MOMENT);
        assertThat(lag.needsAnotherStream()).isTrue();
    }

    @Test
    void anyEventAndANewStreamShowThatTheStreamWorks() {
        lag.seenWithoutEvent(LATE);
        lag.event();
        time.advance(Duration.ofHours(1));
        assertThat(lag.needsAnotherStream()).isFalse();

        lag.seenWithoutEvent(LATE);
        lag.streamOpened();
        time.advance(Duration.ofHours(1));
        assertThat(lag.needsAnotherStream()).isFalse();
    }

    private void timely(int count) {
        for (int event = 0; event < count; event++) {
            lag.grantedByEvent(MOMENT);
        }
    }
}
