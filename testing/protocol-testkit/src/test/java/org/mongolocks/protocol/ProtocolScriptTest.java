package org.mongolocks.protocol;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.NAME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.foundWithTime;
import static org.mongolocks.protocol.Replies.none;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.LossReason;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

class ProtocolScriptTest {
    private static final LockDocumentFixtures STORED = new LockDocumentFixtures("stub/1", "rev");

    @Test
    void programRunsToItsEnd() {
        ProtocolScript<Renewal> renewal = ProtocolScript.of(
                        AcquireStub.correct().renew(ProtocolFixture.lease(TOKEN)))
                .sends("stub/renew");

        renewal.receives(found(STORED.heldBy(ME))).endsWith(new Renewal.Renewed());
        renewal.receives(none())
                .sends(
                        "stub/loss-reason",
                        "{find: 'locks', filter: {_id: '$job'}, projection: "
                                + STORED.commands().projection() + "}")
                .receives(foundWithTime(STORED.heldBy(OTHER)))
                .endsWith(new Renewal.Lost(LossReason.TAKEN_OVER));
    }

    @Test
    void faultEndsProgram() {
        Reply.Failed rejected = failed(Fault.REJECTED);

        ProtocolScript.of(AcquireStub.correct().inspect(NAME))
                .receives(rejected)
                .failsWith(rejected);
    }

    @Test
    void pauseIsComparedByLength() {
        ProtocolScript<String> pausing =
                ProtocolScript.of(new Step.Pause<>(Duration.ofMillis(20), () -> Step.done("over")));

        pausing.pauses(Duration.ofMillis(20)).endsWith("over");
        assertThatThrownBy(() -> pausing.pauses(Duration.ofMillis(21))).isInstanceOf(AssertionError.class);
    }

    @Test
    void mismatchShowsBothCommands() {
        assertThatThrownBy(() -> ProtocolScript.of(AcquireStub.correct().inspect(NAME))
                        .sends("stub/inspect", "{find: 'locks', filter: {_id: 'other'}}"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("\"_id\": \"$job\"")
                .hasMessageContaining("\"_id\": \"other\"");
    }

    @Test
    void unfinishedProgramHasNotEnded() {
        assertThatThrownBy(() -> ProtocolScript.of(AcquireStub.correct().renew(ProtocolFixture.lease(TOKEN)))
                        .endsWith(new Renewal.Renewed()))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void endedProgramSendsNothing() {
        assertThatThrownBy(() -> ProtocolScript.of(Step.done(1)).sends("stub/renew"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the next step");
    }
}
