package org.mongolocks.protocol;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.NAME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.none;
import static org.mongolocks.protocol.Replies.seen;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.LossReason;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.Renewal;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

class ProtocolScriptTest {
    private static final LockDocumentFixtures STORED = new LockDocumentFixtures("sketch/1", "rev");

    @Test
    void aProgramIsPlayedToItsEnd() {
        ProtocolScript<Renewal> renewal = ProtocolScript.of(Sketch.sound().renew(ProtocolFixture.lease(TOKEN)))
                .asks("sketch/renew");

        renewal.gets(found(STORED.heldBy(ME))).endsWith(new Renewal.Renewed());
        renewal.gets(none())
                .asks("sketch/why-lost", """
                        {find: 'locks', filter: {_id: '$job'}, projection: {format: 1, owner: 1, holder: 1, fence: 1, acquiredAt: 1,
                         expiresAt: 1, leaseMs: 1, forcedAt: 1, rev: 1, now: '$$NOW'}}""")
                .gets(seen(STORED.heldBy(OTHER)))
                .endsWith(new Renewal.Lost(LossReason.TAKEN_OVER));
    }

    @Test
    void aFaultIsPlayedToItsEnd() {
        Reply.Failed rejected = failed(Fault.REJECTED);

        ProtocolScript.of(Sketch.sound().inspect(NAME)).gets(rejected).failsWith(rejected);
    }

    @Test
    void aPauseIsExpectedWithItsLength() {
        ProtocolScript<String> pausing =
                ProtocolScript.of(new Step.Pause<>(Duration.ofMillis(20), () -> Step.done("over")));

        pausing.pauses(Duration.ofMillis(20)).endsWith("over");
        assertThatThrownBy(() -> pausing.pauses(Duration.ofMillis(21))).isInstanceOf(AssertionError.class);
    }

    @Test
    void anotherCommandIsShownNextToTheExpectedOne() {
        assertThatThrownBy(() -> ProtocolScript.of(Sketch.sound().inspect(NAME))
                        .asks("sketch/inspect", "{find: 'locks', filter: {_id: 'other'}}"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("\"_id\": \"$job\"")
                .hasMessageContaining("\"_id\": \"other\"");
    }

    @Test
    void aProgramThatGoesOnHasNotEnded() {
        assertThatThrownBy(() -> ProtocolScript.of(Sketch.sound().renew(ProtocolFixture.lease(TOKEN)))
                        .endsWith(new Renewal.Renewed()))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void anEndedProgramAsksNothing() {
        assertThatThrownBy(() -> ProtocolScript.of(Step.done(1)).asks("sketch/renew"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("The program goes on");
    }
}
