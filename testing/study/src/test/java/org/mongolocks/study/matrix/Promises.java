package org.mongolocks.study.matrix;

import static org.mongolocks.study.check.Violation.Finding.BELIEVED_TWICE;
import static org.mongolocks.study.check.Violation.Finding.HAND_OVER_LATE;
import static org.mongolocks.study.check.Violation.Finding.HELD_TWICE;
import static org.mongolocks.study.check.Violation.Finding.LEAK;
import static org.mongolocks.study.check.Violation.Finding.LOSS_NOTICED_LATE;
import static org.mongolocks.study.check.Violation.Finding.OUT_OF_TURN;
import static org.mongolocks.study.check.Violation.Finding.STALE_FENCED;
import static org.mongolocks.study.check.Violation.Finding.STALE_TOUCH_FENCED;
import static org.mongolocks.study.check.Violation.Finding.STALE_UNFENCED;
import static org.mongolocks.study.check.Violation.Finding.STUCK;
import static org.mongolocks.study.check.Violation.Finding.TOKEN_REUSED;
import static org.mongolocks.study.check.Violation.Finding.TOKEN_WENT_BACK;
import static org.mongolocks.study.check.Violation.Finding.UPDATE_LOST;

import java.util.EnumSet;
import java.util.Set;
import org.mongolocks.study.check.Violation.Finding;

/**
 * The findings allowed for a strategy of the library: none, except those that the documentation says no lock can
 * prevent.
 */
final class Promises {
    private static final Set<Finding> LATE_WRITE = Set.of(STALE_UNFENCED, STALE_FENCED, UPDATE_LOST);

    private Promises() {}

    static Set<Finding> exceptions(String scenario, String technique) {
        return switch (scenario) {
            case "holder-pause", "late-write" -> LATE_WRITE;
            case "server-ahead" ->
                technique.equals("optimistic-version-clock-free")
                        ? Set.of()
                        : and(LATE_WRITE, BELIEVED_TWICE, HELD_TWICE, TOKEN_WENT_BACK);
            case "duplicates" -> technique.equals("transactional") ? Set.of(LEAK) : Set.of();
            case "several-crash" ->
                switch (technique) {
                    case "transactional" -> Set.of(STUCK, LEAK);
                    case "optimistic-version-clock-free" -> Set.of(STUCK);
                    default -> Set.of();
                };
            // The list gives all behind eight waiters that have died the same time.
            case "in-order-crash" -> Set.of(OUT_OF_TURN);
            case "pool-of-one" -> technique.equals("transactional") ? Set.of(HAND_OVER_LATE) : Set.of();
            case "leader-forced" -> Set.of(HELD_TWICE, BELIEVED_TWICE);
            case "restored-backup" -> LATE_WRITE;
            case "dropped-collection" ->
                and(
                        LATE_WRITE,
                        HELD_TWICE,
                        BELIEVED_TWICE,
                        STALE_TOUCH_FENCED,
                        TOKEN_REUSED,
                        TOKEN_WENT_BACK,
                        LOSS_NOTICED_LATE);
            default -> Set.of();
        };
    }

    private static Set<Finding> and(Set<Finding> some, Finding... more) {
        EnumSet<Finding> all = EnumSet.copyOf(some);
        all.addAll(Set.of(more));
        return all;
    }
}
