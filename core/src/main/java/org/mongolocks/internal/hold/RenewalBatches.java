package org.mongolocks.internal.hold;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.mongolocks.internal.hold.RenewalAttempt.Retry;

/**
 * The rule that decides which leases are renewed by one command. A command that gets no reply in time may wait for the
 * document of one lock, which a transaction blocks. So its leases are renewed in {@value #PARTS} parts the next time,
 * and those of a part that gets no reply either one by one: a blocked lock delays each other lock by two tries. A part is
 * divided only if the server has answered a renewal since the first of these tries began, so that a silent server gets
 * {@value #PARTS} commands instead of one, not one for each lock. Thread-safe.
 */
final class RenewalBatches {
    private static final int PARTS = 10;

    private volatile long lastReplyNanos;

    RenewalBatches(long nowNanos) {
        this.lastReplyNanos = nowNanos;
    }

    /** Returns the batches for one command each, the largest ones first. */
    static List<List<RenewalSchedule>> of(List<RenewalSchedule> due) {
        Map<Integer, List<RenewalSchedule>> bySize = new TreeMap<>(Comparator.reverseOrder());
        due.forEach(schedule -> bySize.computeIfAbsent(schedule.maxTogether(), most -> new ArrayList<>())
                .add(schedule));
        return bySize.entrySet().stream()
                .flatMap(each -> HoldRegistry.batches(each.getValue(), each.getKey()))
                .toList();
    }

    /** Records the result of a batch, and returns how many of it may be renewed together the next time. */
    int recordResult(List<RenewalSchedule> batch, RenewalAttempt answer, long nowNanos) {
        if (answer instanceof RenewalAttempt.Failed failed) {
            return afterFailure(batch, failed.retry());
        }
        boolean isDefinite = !(answer instanceof RenewalAttempt.Undetermined);
        lastReplyNanos = isDefinite ? nowNanos : lastReplyNanos;
        return answer instanceof RenewalAttempt.Renewed ? HoldRegistry.MAX_TOGETHER : 1;
    }

    private int afterFailure(List<RenewalSchedule> batch, Retry retry) {
        return switch (retry) {
            case TOGETHER -> batch.get(0).maxTogether();
            case IN_PARTS -> part(batch);
            case EACH -> 1;
        };
    }

    private int part(List<RenewalSchedule> batch) {
        RenewalSchedule first = batch.get(0);
        boolean isWhole = first.maxTogether() == HoldRegistry.MAX_TOGETHER;
        return isWhole || lastReplyNanos - first.failingSinceNanos() >= 0
                ? (batch.size() + PARTS - 1) / PARTS
                : first.maxTogether();
    }
}
