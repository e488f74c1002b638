package org.mongolocks.study.report;

import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.technique.PublishedTechnique;

/** The promise of a technique, why it does not hold, and the solution of the library's strategies. */
public record Advice(String claim, String flaw, String instead) {
    /**
     * Returns advice by technique for articles, and by scenario for the library's strategies, which have limits rather
     * than flaws.
     */
    static Advice of(Cell cell) {
        return PublishedTechnique.named(cell.technique())
                .map(one -> new Advice(one.claim(), one.flaw(), one.instead()))
                .orElseGet(() -> KnownLimits.of(cell.scenario()));
    }

    static boolean isArticle(String technique) {
        return PublishedTechnique.named(technique).isPresent();
    }
}
