package org.mongolocks.study.report;

import java.util.EnumSet;
import java.util.Set;
import org.mongolocks.study.check.Finding;
import org.mongolocks.study.matrix.Cell;

/** The severity of a cell, with a sign for readers who cannot see its colour. */
enum Severity {
    /** No findings. */
    SOUND("–"),
    /** The lock was correct, but a resource without the right fence was damaged. */
    WORK_LOST("△"),
    /** The lock itself failed. */
    BROKEN("✕");

    private static final Set<Finding> OF_RESOURCES =
            EnumSet.of(Finding.STALE_UNFENCED, Finding.STALE_FENCED, Finding.UPDATE_LOST);

    private final String sign;

    Severity(String sign) {
        this.sign = sign;
    }

    String sign() {
        return sign;
    }

    static Severity of(Finding finding) {
        return OF_RESOURCES.contains(finding) ? WORK_LOST : BROKEN;
    }

    static Severity of(Cell cell) {
        return cell.findings().keySet().stream()
                .map(Severity::of)
                .max(Enum::compareTo)
                .orElse(SOUND);
    }
}
