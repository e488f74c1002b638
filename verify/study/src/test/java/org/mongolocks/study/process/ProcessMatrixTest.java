package org.mongolocks.study.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Textbook;

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

    /** A client of the library cannot be built on a collection that has these indexes: they are created afterwards. */
    @Test
    void articlesWithIndexesAreThoseOfTheSlowTest() {
        assertThat(RealTechniques.all())
                .filteredOn(one -> one.strategies().apply(InstantSource.system()) instanceof Textbook textbook
                        && !textbook.indexes().isEmpty())
                .extracting(Technique::name)
                .containsExactly("textbook-transaction-insert", "textbook-unique-insert-ttl");
    }
}
