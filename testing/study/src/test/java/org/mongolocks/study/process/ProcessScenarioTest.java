package org.mongolocks.study.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

class ProcessScenarioTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "real-processes.md");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private static Set<String> names() {
        return new TreeSet<>(
                ProcessScenario.all().stream().map(ProcessScenario::name).toList());
    }

    @Test
    void pageHasOneRowPerScenario() throws IOException {
        Set<String> documented = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\|", -1)[1])
                .flatMap(names -> CODE.matcher(names).results().map((MatchResult hit) -> hit.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(documented).isEqualTo(names());
    }

    @Test
    void columnsMatchTheSimulator() {
        assertThat(RealTechniques.all())
                .extracting(Technique::name)
                .isEqualTo(Techniques.all().stream().map(Technique::name).toList());
    }

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
}
