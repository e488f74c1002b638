package org.mongolocks.study.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.technique.Library;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;

/** Tests that every technique can be run by real processes. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ProcessMatrixTest {
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");
    private static final List<ProcessScenario> HEALTHY = ProcessScenario.all().subList(0, 1);

    @Test
    @Tag("slow")
    void everyTechniqueRunsInRealProcesses() throws InterruptedException {
        LOCKS.setLevel(Level.OFF);
        List<Technique> all = RealTechniques.all();
        try (TestDatabase server = TestDatabase.at("embedded")) {
            ProcessMatrix study = new ProcessMatrix(server, HEALTHY, all, System.out::println);

            Matrix matrix = study.run(1, cell -> {});

            assertThat(study.brokenDown()).isEmpty();
            assertThat(matrix.cells())
                    .extracting(Cell::technique)
                    .containsExactlyElementsOf(all.stream().map(Technique::name).toList());
            assertThat(matrix.cells()).allMatch(cell -> cell.totals().commands() > 0);
        }
    }

    @Test
    void workThatIsLongerThanAFixedLeaseIsSeen() throws InterruptedException {
        List<ProcessScenario> longWork = ProcessScenario.ofLibraries().stream()
                .filter(row -> row.name().equals("long-work"))
                .toList();
        try (TestDatabase server = TestDatabase.at("embedded")) {
            Library library = Library.named(ShortShedLock.NAME);

            Matrix matrix =
                    new ProcessMatrix(server, longWork, List.of(library), System.out::println).run(1, cell -> {});

            assertThat(matrix.cells())
                    .singleElement()
                    .satisfies(cell -> assertThat(cell.findings())
                            .containsKeys(Finding.BELIEVED_TWICE, Finding.UPDATE_LOST, Finding.LOSS_NOT_TOLD));
        }
    }

    /** Not only exceptions: after an error the exit status would be 0 without the cell. */
    @Test
    void cellThatEndsWithAnErrorIsReported() throws InterruptedException {
        ProcessScenario broken = new ProcessScenario("broken", "an error", Set.of(), Optional.empty(), (seed, ttl) -> {
            throw new AssertionError("no faults");
        });
        List<String> log = new CopyOnWriteArrayList<>();
        try (TestDatabase server = TestDatabase.at("embedded")) {
            ProcessMatrix study =
                    new ProcessMatrix(server, List.of(broken), List.of(RealTechniques.named("flag-update")), log::add);

            Matrix matrix = study.run(1, cell -> {});

            assertThat(matrix.cells()).isEmpty();
            assertThat(study.brokenDown())
                    .containsExactly("broken with flag-update: java.lang.AssertionError: no faults");
            assertThat(log).containsExactly("not run: broken with flag-update: java.lang.AssertionError: no faults");
        }
    }

    @Test
    void cellsWithAFaultOfTheServerRunAlone() throws InterruptedException {
        List<String> log = new CopyOnWriteArrayList<>();
        List<Integer> before = new CopyOnWriteArrayList<>();
        ProcessScenario plain = new ProcessScenario("plain", "an error", Set.of(), Optional.empty(), (seed, ttl) -> {
            throw new AssertionError();
        });
        ProcessScenario stepDown =
                new ProcessScenario("step-down", "an error", Set.of(Need.MONGODB), Optional.empty(), (seed, ttl) -> {
                    before.add(log.size());
                    throw new AssertionError();
                });
        List<Technique> three = RealTechniques.all().subList(0, 3);
        try (TestDatabase server = TestDatabase.at("embedded")) {
            new ProcessMatrix(server, List.of(stepDown, plain), three, log::add).run(1, cell -> {});
        }

        assertThat(before).containsExactly(3, 4, 5);
    }

    @Test
    void failedRunIsRetriedOnce() throws InterruptedException {
        ProcessScenario broken = new ProcessScenario("broken", "a failure", Set.of(), Optional.empty(), (seed, ttl) -> {
            throw new IllegalStateException();
        });
        List<String> log = new CopyOnWriteArrayList<>();
        try (TestDatabase server = TestDatabase.at("embedded")) {
            new ProcessMatrix(server, List.of(broken), List.of(RealTechniques.named("flag-update")), log::add)
                    .run(1, cell -> {});

            assertThat(log)
                    .containsExactly(
                            "broken with flag-update: java.lang.IllegalStateException; retrying once",
                            "not run: broken with flag-update: java.lang.IllegalStateException");
        }
    }
}
