package org.mongolocks.study.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;

/** Tests that exactly the runs without their preconditions are left out, with the reason. */
class NeedTest {
    private static List<String> rowsWith(Need need) {
        return ProcessScenario.all().stream()
                .filter(row -> row.needs().contains(need))
                .map(ProcessScenario::name)
                .toList();
    }

    @Test
    void rowsNeedWhatTheirFaultsNeed() {
        assertThat(rowsWith(Need.FAKETIME)).containsExactly("client-ahead", "client-behind", "client-fast");
        assertThat(rowsWith(Need.SIGNALS)).containsExactly("holder-crash", "holder-pause", "holder-pause-checked");
        assertThat(rowsWith(Need.PLAIN_TEXT)).containsExactly("requests-lost", "replies-lost", "connections-reset");
    }

    @Test
    void aStandaloneHasNoTransactions() {
        assertThat(RealTechniques.all())
                .filteredOn(column -> Need.of(column).contains(Need.TRANSACTIONS))
                .extracting(Technique::name)
                .containsExactly("textbook-transaction-insert", "transactional");
    }

    @Test
    void theReasonSaysWhatToInstall() {
        assertThat(Need.FAKETIME)
                .hasToString("needs the library of faketime (libfaketimeMT.so.1; Debian: apt-get install faketime)");
    }
}
