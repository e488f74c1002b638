package org.mongolocks.spi.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.HolderInfo;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;

class LeaseReaderTest {
    private static final LockName NAME = LockName.of("a");

    @Test
    void wholeDocumentIsRead() {
        LockSnapshot snapshot = read("{_id: 'a', owner: 'o', fence: {$numberLong: '7'}, rev: {$numberLong: '9'},"
                + " acquiredAt: {$date: 1000}, renewedAt: {$date: 1000}, leaseMs: {$numberLong: '10000'},"
                + " now: {$date: 4000}}");

        assertThat(snapshot)
                .isEqualTo(LockSnapshot.of(NAME, Optional.of("o"), 7, 9)
                        .lease(
                                Duration.ofSeconds(10),
                                Optional.of(Instant.ofEpochMilli(1000)),
                                Optional.of(Instant.ofEpochMilli(11000)))
                        .remaining(Optional.of(Duration.ofSeconds(7))));
        assertThat(snapshot.isHeld()).isTrue();
    }

    @Test
    void snapshotWithoutServerTimeHasNoRemainingTime() {
        LockSnapshot snapshot = read("{owner: 'o', renewedAt: {$date: 11000}}");

        assertThat(snapshot.remaining()).isEmpty();
        assertThat(snapshot.isHeld()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{owner: 5, fence: 'x', rev: null, acquiredAt: 'x', renewedAt: 5, leaseMs: {}, now: []}",
                "{owner: null, renewedAt: null}"
            })
    void missingFieldsAndFieldsOfAnotherTypeAreAbsent(String json) {
        assertThat(read(json)).isEqualTo(LockSnapshot.unused(NAME));
    }

    @Test
    void reasonOfALossComesFromTheStoredDocument() {
        assertThat(LeaseReader.lossReason(Optional.empty())).isEqualTo(LossReason.TAKEN_OVER);
        assertThat(reason("{owner: 'other', fence: 8}")).isEqualTo(LossReason.TAKEN_OVER);
        assertThat(reason("{fence: 8}")).isEqualTo(LossReason.TAKEN_OVER);
        assertThat(reason("{}")).isEqualTo(LossReason.TAKEN_OVER);
        assertThat(reason("{fence: 8, forcedAt: {$date: 1}}")).isEqualTo(LossReason.FORCED);
    }

    @Test
    void unreadableHolderFieldsAreLeftOut() {
        HolderInfo whole =
                read("{holder: {host: 'a', pid: 7, thread: 't', note: 'n'}}").holderInfo();
        assertThat(whole.host()).contains("a");
        assertThat(whole.processId()).hasValue(7);
        assertThat(whole.thread()).contains("t");
        assertThat(whole.note()).contains("n");
        assertThat(read("{holder: {host: 1, pid: 'x', other: 't'}}").holderInfo())
                .isEqualTo(HolderInfo.none());
        assertThat(read("{holder: 'me'}").holderInfo()).isEqualTo(HolderInfo.none());
        assertThat(read("{}").holderInfo()).isEqualTo(HolderInfo.none());
    }

    @Test
    void aHolderIsReadAsItWasStored() {
        HolderInfo holder = HolderInfo.of("a").withNote(Optional.of("n"));
        BsonDocument lock = new BsonDocument("holder", holder.stored());

        assertThat(LeaseReader.snapshot(NAME, lock, "rev").holderInfo()).isEqualTo(holder);
        assertThat(HolderInfo.none().stored()).isEmpty();
    }

    @Test
    @Tag("finds:whole-list-in-each-reply")
    void projectionNamesEveryFieldSoThatComputingOneKeepsTheOthers() {
        assertThat(LeaseDocument.withFormat("demo/1")
                        .withTokensFromRevision("version")
                        .projection()
                        .keySet())
                .containsExactly(
                        "format",
                        "owner",
                        "holder",
                        "fence",
                        "acquiredAt",
                        "renewedAt",
                        "leaseMs",
                        "releasedAt",
                        "forcedAt",
                        "version",
                        "now",
                        "next",
                        "turn");
    }

    @Test
    void projectionHasTheLeaseIdOfASchemaWithLeaseIdsOnly() {
        LeaseDocument plain = LeaseDocument.withFormat("demo/1");

        assertThat(plain.projection()).doesNotContainKey("leaseId");
        assertThat(plain.withLeaseIds().projection()).containsKey("leaseId");
    }

    private static LockSnapshot read(String json) {
        return LeaseReader.snapshot(NAME, BsonDocument.parse(json), "rev");
    }

    private static LossReason reason(String json) {
        return LeaseReader.lossReason(Optional.of(BsonDocument.parse(json)));
    }
}
