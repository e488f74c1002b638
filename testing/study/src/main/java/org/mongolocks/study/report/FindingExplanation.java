package org.mongolocks.study.report;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.matrix.Cell;

/** Explains findings. */
public final class FindingExplanation {
    private static final Map<Finding, String> OF = new EnumMap<>(Map.ofEntries(
            Map.entry(
                    Finding.HELD_TWICE,
                    "Two clients held the lock at the same time, and both leases were live: mutual exclusion failed."),
            Map.entry(
                    Finding.BELIEVED_TWICE,
                    "Two clients believed that they held the lock, at a time when both could act on it."),
            Map.entry(
                    Finding.STALE_UNFENCED,
                    "A client wrote after another had acquired the lock, and the resource, without a fence, accepted"
                            + " it."),
            Map.entry(
                    Finding.STALE_FENCED,
                    "Such a late write was accepted by a resource that refuses tokens below the largest written."),
            Map.entry(
                    Finding.STALE_TOUCH_FENCED,
                    "Such a late write was accepted by a resource that refuses tokens below the largest it has ever"
                            + " seen."),
            Map.entry(
                    Finding.STALE_GUARDED,
                    "A guarded transaction was committed, although another client had acquired the lock before."),
            Map.entry(Finding.GUARDED_LOST, "A guarded write was reported as committed, and is missing."),
            Map.entry(
                    Finding.MISCOUNTED,
                    "A reentrant lock was released before or after its last acquisition, or had a different token."),
            Map.entry(Finding.OUT_OF_TURN, "Of two waiters in the queue, the later one got the lock first."),
            Map.entry(Finding.LED_TWICE, "Two candidates believed that they led, at a time when both could act on it."),
            Map.entry(Finding.STUCK, "Clients that acquire several locks waited for each other, and none worked."),
            Map.entry(
                    Finding.UPDATE_LOST,
                    "A write was accepted and is missing from the value: another client overwrote it without reading"
                            + " it."),
            Map.entry(
                    Finding.TOKEN_REUSED,
                    "Two grants had the same fencing token, so that no fence can distinguish them."),
            Map.entry(
                    Finding.TOKEN_WENT_BACK,
                    "A later grant had a smaller fencing token, so that a fence refuses the wrong one."),
            Map.entry(Finding.FOREIGN_RELEASE, "A client released the lock while another held it."),
            Map.entry(
                    Finding.DOCUMENT_OVERWRITTEN,
                    "Two clients wrote the protected document after reading the same version of it."),
            Map.entry(
                    Finding.HELD_BY_NOBODY,
                    "An attempt was contended although no other acquisition held the lock, was in progress, or may have"
                            + " been granted it: the lock was held by an owner that no client knows."),
            Map.entry(
                    Finding.SLOW_HANDOVER,
                    "The median time from the release of a lock to the next grant, while others waited, was longer than"
                            + " allowed."),
            Map.entry(
                    Finding.LEAK,
                    "All clients had stopped, a lease had passed, and a new client could not acquire the lock."),
            Map.entry(
                    Finding.HAND_OVER_LATE,
                    "A client released the lock, and a waiter got it later than this row allows."),
            Map.entry(
                    Finding.LOSS_NOTICED_LATE,
                    "The server no longer had the lock, or the lease had ended, and the holder was notified later than this"
                            + " row allows."),
            Map.entry(Finding.STARVED, "A client asked for the lock, and was never granted it while others were."),
            Map.entry(
                    Finding.LOCK_LOST,
                    "A holder with keep-alive lost its lock, although its renewals could have reached the server."),
            Map.entry(
                    Finding.ACQUIRE_FAILED,
                    "An acquisition ended with an error, although every message between client and server arrived."),
            Map.entry(
                    Finding.LOSS_NOT_TOLD,
                    "A holder lost its lock to another, and nothing told it so: no answer, no listener, no release."),
            Map.entry(
                    Finding.LEFT_FREE,
                    "Nobody held the lock, and clients that asked for it did not get it, for more than a lease and"
                            + " five seconds.")));

    private FindingExplanation() {}

    static String of(Finding finding) {
        return OF.getOrDefault(finding, "");
    }

    /** The severity of a cell, with a sign for readers who cannot see its colour. */
    public enum Severity {
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

        public String sign() {
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
}
