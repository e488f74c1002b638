package org.mongolocks.contract.document;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.NAME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.ProtocolFixture.acquired;
import static org.mongolocks.protocol.ProtocolFixture.firstAttempt;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.foundWithTime;
import static org.mongolocks.protocol.Replies.none;

import java.time.Duration;
import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockSnapshot;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolFixture;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.AcquireContext.Waiter.Entry;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Turn;
import org.mongolocks.spi.Reply.Fault;

/** The acquisition that the strategies on one lock document share. */
class LeaseDocumentAcquisitionTest {

    /** The strategies, with the place of their upsert. */
    private enum Variant {
        COUNTER("findandmodify-counter", "acquire-or-extend"),
        FLAG("flag-update", "set-flag"),
        INSERT("insert-unique", "insert");

        final String name;
        final String upsert;

        Variant(String name, String place) {
            this.name = name;
            this.upsert = name + "/" + place;
        }

        LockDocumentFixtures stored() {
            return new LockDocumentFixtures(name + "/3", "rev");
        }

        String label(String place) {
            return name + "/" + place;
        }

        LockStrategy strategy() {
            return LockStrategies.named(name);
        }

        ProtocolScript<LockOutcome> start() {
            return ProtocolScript.of(strategy().acquire(firstAttempt())).sends(upsert);
        }

        ProtocolScript<LockOutcome> afterDuplicateKey() {
            return start().receives(failed(Fault.DUPLICATE_KEY)).sends(label("acquire-or-extend"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void deletedDocumentIsCreatedOnce(Variant variant) {
        ProtocolScript<LockOutcome> again =
                variant.afterDuplicateKey().receives(none()).sends(variant.upsert);

        again.receives(found(variant.stored().heldBy(ME))).endsWith(acquired(TOKEN));
        again.receives(failed(Fault.DUPLICATE_KEY))
                .sends(variant.label("acquire-or-extend"))
                .receives(none())
                .endsWith(new LockOutcome.Contended(LockSnapshot.unused(NAME)));
    }

    @ParameterizedTest
    @EnumSource
    void lockThatWasSeenHeldIsAcquiredByTheCommandThatFits(Variant variant) {
        LockDocumentFixtures stored = variant.stored();
        ProtocolScript<LockOutcome> read = ProtocolScript.of(
                        variant.strategy().acquire(firstAttempt(LastKnownState.HELD)))
                .sends(variant.label("read"));

        read.receives(none())
                .sends(variant.upsert)
                .receives(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
        read.receives(foundWithTime(stored.released())).sends(variant.label("acquire-or-extend"));
        read.receives(foundWithTime(stored.expiredOf(OTHER))).sends(variant.label("acquire-or-extend"));
        read.receives(foundWithTime(stored.heldBy(ME)))
                .sends(variant.label("acquire-or-extend"))
                .receives(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    /** It registers by the command that would acquire the lock, and sees its position in the reply. */
    @ParameterizedTest
    @EnumSource
    void waiterStartsWithAcquireOrExtend(Variant variant) {
        LockDocumentFixtures stored = variant.stored();
        ProtocolScript<LockOutcome> waiting = ProtocolScript.of(
                        variant.strategy().acquire(ProtocolFixture.attemptOfWaiter(Entry.ADD)))
                .sends(variant.label("acquire-or-extend"));
        BsonDocument held =
                stored.heldBy(OTHER).append("waiting", stored.awaited().get("waiting"));

        waiting.receives(found(stored.heldBy(ME))).endsWith(acquired(TOKEN));
        waiting.receives(foundWithTime(held))
                .endsWith(new LockOutcome.Contended(
                        stored.readWithTime(held), Optional.of(Turn.ofHeld(1, LockDocumentFixtures.REMAINING))));
        waiting.receives(foundWithTime(stored.awaited()))
                .endsWith(new LockOutcome.Contended(
                        stored.readWithTime(stored.awaited()), Optional.of(Turn.ofFree(1, Duration.ZERO))));
        waiting.receives(none()).sends(variant.upsert);
    }

    @ParameterizedTest
    @EnumSource
    void lockThatWasSeenFreeIsAcquiredByPlainOperators(Variant variant) {
        LockDocumentFixtures stored = variant.stored();
        ProtocolScript<LockOutcome> released = ProtocolScript.of(
                        variant.strategy().acquire(firstAttempt(LastKnownState.FREE)))
                .sends(variant.label("acquire-released"));

        released.receives(found(stored.heldBy(ME))).endsWith(acquired(TOKEN));
        ProtocolScript<LockOutcome> read = released.receives(none()).sends(variant.label("read"));
        read.receives(foundWithTime(stored.heldBy(OTHER)))
                .endsWith(new LockOutcome.Contended(stored.readWithTime(stored.heldBy(OTHER))));
        read.receives(foundWithTime(stored.expiredOf(OTHER))).sends(variant.label("acquire-or-extend"));
        read.receives(foundWithTime(stored.heldBy(ME))).sends(variant.label("acquire-or-extend"));
        read.receives(none()).sends(variant.upsert);
    }
}
