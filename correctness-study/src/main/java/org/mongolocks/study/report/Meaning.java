package org.mongolocks.study.report;

import java.util.EnumMap;
import java.util.Map;
import org.mongolocks.study.check.Finding;

/** Explains findings. */
final class Meaning {
    private static final Map<Finding, String> OF = new EnumMap<>(Map.ofEntries(
            Map.entry(
                    Finding.HELD_TWICE,
                    "Two clients had the lock at the same moment, and both leases still counted: the lock did not exclude."),
            Map.entry(
                    Finding.BELIEVED_TWICE,
                    "Two clients both thought that they had the lock, at a moment when both could act on it."),
            Map.entry(
                    Finding.STALE_UNFENCED,
                    "A client wrote after another had got the lock, and the resource, which checks nothing, took it."),
            Map.entry(
                    Finding.STALE_FENCED,
                    "Such a late write got past a resource that refuses tokens below the largest written."),
            Map.entry(
                    Finding.STALE_TOUCH_FENCED,
                    "Such a late write got past a resource that refuses tokens below the largest it has ever seen."),
            Map.entry(
                    Finding.STALE_GUARDED,
                    "A write in a guarded transaction was committed, though another had got the lock before."),
            Map.entry(Finding.GUARDED_LOST, "A guarded write was told to be committed, and is gone."),
            Map.entry(
                    Finding.MISCOUNTED,
                    "A lock that is entered several times was freed before or after its last entry, or had another token."),
            Map.entry(Finding.OUT_OF_TURN, "Of two who stood in the queue, the one behind got the lock first."),
            Map.entry(Finding.STUCK, "Those who wanted several locks waited for each other, and nobody worked."),
            Map.entry(
                    Finding.UPDATE_LOST,
                    "A write was accepted and is not in the value: another wrote over it without having read it."),
            Map.entry(
                    Finding.TOKEN_REUSED,
                    "Two grants had the same fencing token, so that no fence can tell them apart."),
            Map.entry(
                    Finding.TOKEN_WENT_BACK,
                    "A later grant had a smaller fencing token, so that a fence refuses the wrong one."),
            Map.entry(Finding.FOREIGN_RELEASE, "A client released the lock while another held it."),
            Map.entry(
                    Finding.DOCUMENT_OVERWRITTEN,
                    "Two wrote the protected document, and both had read the same version of it."),
            Map.entry(
                    Finding.HELD_BY_NOBODY,
                    "An attempt was refused though no other acquisition had the lock, asked for it, or may have been granted"
                            + " it: the lock was held by an owner that nobody has."),
            Map.entry(
                    Finding.SLOW_HANDOVER,
                    "At the median, a lock that was released while others waited was granted to the next one later than it"
                            + " should be."),
            Map.entry(
                    Finding.LEAK,
                    "Everybody was done, a lease had passed, and the lock could not be had: somebody who asked at the end"
                            + " asked in vain."),
            Map.entry(
                    Finding.HAND_OVER_LATE,
                    "A client released the lock, and a waiter got it later than this row allows."),
            Map.entry(
                    Finding.LOSS_NOTICED_LATE,
                    "The server no longer had the lock, and its holder learned of that later than this row allows."),
            Map.entry(
                    Finding.ACQUIRE_FAILED,
                    "An acquisition ended with an error, though every message between client and server arrived."),
            Map.entry(
                    Finding.NOT_REFUSED,
                    "A client was built on a collection in which locks break, instead of being refused.")));

    private Meaning() {}

    static String of(Finding finding) {
        return OF.getOrDefault(finding, "");
    }
}
