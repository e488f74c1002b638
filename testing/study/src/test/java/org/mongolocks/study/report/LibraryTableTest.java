package org.mongolocks.study.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mongolocks.peers.PeerLibraries;
import org.mongolocks.peers.PeerLibrary;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.process.ShortShedLock;
import org.mongolocks.study.report.LibraryTable.Promise;
import org.mongolocks.study.report.LibraryTable.Question;
import org.mongolocks.study.technique.Library;

class LibraryTableTest {
    private static Cell cell(String scenario, String library, Map<Finding, Integer> findings) {
        Map<Finding, Long> longest = Map.of(Finding.LOSS_NOT_TOLD, 1_500_000_000L);
        return new Cell(
                scenario, library, 3, findings, Map.of(), List.of(), new Cell.Totals(9, 0, 0, 0, 0, 0, 0, longest));
    }

    private static LibraryTable table(Cell... cells) {
        List<PeerLibrary> libraries = Stream.of("shedlock", "redisson-fenced-lock")
                .map(name -> Library.named(name).peer())
                .toList();
        return LibraryTable.of(new Matrix(List.of(cells)), libraries, Map.of("of the proxy", List.of("a with b")));
    }

    @Test
    void eachQuestionHasAPromiseOfEachLibrary() {
        Stream<String> libraries = PeerLibraries.all().stream()
                .filter(library -> !(library instanceof ShortShedLock))
                .map(PeerLibrary::name);

        assertThat(LibraryTable.promises())
                .extracting(Promise::library, Promise::question)
                .containsExactlyInAnyOrderElementsOf(libraries
                        .flatMap(name -> Arrays.stream(Question.values())
                                .map(question -> org.assertj.core.groups.Tuple.tuple(name, question)))
                        .toList());
        assertThat(LibraryTable.promises()).allSatisfy(promise -> {
            assertThat(promise.answer()).isIn("yes", "partly", "no");
            assertThat(promise.url()).matches("https://\\S+|docs/\\S+\\.md");
            assertThat(promise.sentence()).endsWith(".");
        });
    }

    @Test
    void promiseStandsBesideWhatWasSeen() {
        String text = table(
                        cell("healthy", "shedlock", Map.of()),
                        cell("holder-pause", "shedlock", Map.of(Finding.BELIEVED_TWICE, 2, Finding.HELD_TWICE, 3)),
                        cell("holder-pause", "redisson-fenced-lock", Map.of(Finding.UPDATE_LOST, 3)))
                .text();

        assertThat(text.lines())
                .contains(
                        "  shedlock                        partly    3 of 6: holder-pause 3",
                        "  shedlock                        partly    no of 6, longest 1.5 s",
                        "  redisson-fenced-lock            yes       no of 3",
                        "  shedlock                                  not run, lease 15 s",
                        "Not run, because of the proxy: a with b");
    }

    @Test
    void lostUpdateIsALateWriteOnlyWithoutTokens() {
        String text = table(
                        cell("holder-pause", "shedlock", Map.of(Finding.UPDATE_LOST, 1)),
                        cell("holder-pause", "redisson-fenced-lock", Map.of(Finding.STALE_TOUCH_FENCED, 2)))
                .text();

        assertThat(text.lines())
                .contains(
                        "  shedlock                        no        1 of 3: holder-pause 1",
                        "  redisson-fenced-lock            yes       2 of 3: holder-pause 2");
    }
}
