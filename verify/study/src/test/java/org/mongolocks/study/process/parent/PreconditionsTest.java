package org.mongolocks.study.process.parent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.process.parent.Preconditions.Asset;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;

/** Tests that exactly the runs without their preconditions are left out, with the reason. */
class PreconditionsTest {
    private static List<String> rowsWithout(Asset asset, String reason) {
        Preconditions obstacles = new Preconditions(EnumSet.complementOf(EnumSet.of(asset)));
        return ProcessScenarios.all().stream()
                .filter(row -> obstacles
                        .to(row)
                        .filter(found -> found.contains(reason))
                        .isPresent())
                .map(ProcessScenario::name)
                .toList();
    }

    @Test
    void noScenarioIsLeftOutOnACompleteSystem() {
        Preconditions none = new Preconditions(EnumSet.allOf(Asset.class));

        assertThat(ProcessScenarios.all()).allMatch(row -> none.to(row).isEmpty());
        assertThat(RealTechniques.all()).allMatch(column -> none.to(column).isEmpty());
    }

    @Test
    void wrongClocksNeedFaketime() {
        assertThat(rowsWithout(Asset.FAKETIME, "apt-get install faketime"))
                .containsExactly("client-ahead", "client-behind", "client-fast");
    }

    @Test
    void killingAndStoppingNeedSignals() {
        assertThat(rowsWithout(Asset.SIGNALS, "Windows"))
                .containsExactly("holder-crash", "holder-pause", "holder-pause-checked");
    }

    @Test
    void messagesAreNotLostInTls() {
        assertThat(rowsWithout(Asset.PLAIN_TEXT, "TLS"))
                .containsExactly("requests-lost", "replies-lost", "connections-reset");
    }

    @Test
    void aStandaloneHasNoTransactions() {
        Preconditions obstacles = new Preconditions(EnumSet.complementOf(EnumSet.of(Asset.TRANSACTIONS)));

        assertThat(RealTechniques.all().stream()
                        .filter(column -> obstacles.to(column).isPresent()))
                .extracting(Technique::name)
                .containsExactly("textbook-transaction-insert", "transactional");
    }
}
