package org.mongolocks.benchmarks.workload;

import static java.util.Comparator.comparingLong;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;

/**
 * The results of several processes that contended for one lock.
 *
 * @param totals the results of all, without the commands that await events
 * @param events the number of those commands
 * @param handOverNanos the times from just before a release until the next grant, to whichever process
 */
public record ProcessContention(ContentionResult totals, long events, Histogram handOverNanos) {
    /**
     * Combines the counts of the processes. Their clocks are the same, so that a grant before the release of the grant
     * before it is a violation.
     *
     * @param seconds the time in which they were counted
     */
    static ProcessContention of(List<ClientCounts> counts, double seconds) {
        List<TimedGrant> grants = counts.stream()
                .flatMap(one -> one.grants().stream())
                .sorted(comparingLong(TimedGrant::grantedNanos))
                .toList();
        Histogram handOverNanos = new Histogram(3);
        long notAlone = 0;
        long unorderedTokens = 0;
        for (int next = 1; next < grants.size(); next++) {
            TimedGrant before = grants.get(next - 1);
            TimedGrant after = grants.get(next);
            long nanos = after.grantedNanos() - before.releasedNanos();
            notAlone += nanos < 0 ? 1 : 0;
            unorderedTokens += after.token() <= before.token() ? 1 : 0;
            handOverNanos.recordValue(Math.max(0, nanos));
        }
        long events = counts.stream().mapToLong(ClientCounts::events).sum();
        ContentionResult totals = new ContentionResult(
                counts.size(),
                seconds,
                grants.size(),
                ContentionResult.jainIndex(
                        counts.stream().map(one -> (long) one.grants().size()).toList()),
                counts.stream().mapToLong(ClientCounts::longestWaitNanos).max().orElse(0),
                counts.stream().mapToLong(ClientCounts::commands).sum(),
                new Violations(notAlone, unorderedTokens, 0));
        return new ProcessContention(totals, events, handOverNanos);
    }

    /** Returns the number of commands per grant that await events; without a grant, the number of all. */
    public double eventsPerGrant() {
        return (double) events / Math.max(1, totals.grants());
    }

    /**
     * A grant of a process.
     *
     * @param token its fencing token
     * @param grantedNanos when it was granted, by {@link System#nanoTime()}
     * @param releasedNanos just before its release was sent
     */
    record TimedGrant(long token, long grantedNanos, long releasedNanos) {}

    /**
     * The counts of one process. They travel as a line of JSON.
     *
     * @param commands the number of commands without those that await events
     * @param events the number of commands that await events
     * @param longestWaitNanos the longest time from a request to its grant, or to the end
     */
    record ClientCounts(long commands, long events, long longestWaitNanos, List<TimedGrant> grants) {
        private static final ObjectMapper JSON = new ObjectMapper();

        ClientCounts {
            grants = List.copyOf(grants);
        }

        static ClientCounts of(String line) {
            try {
                return JSON.readValue(line, ClientCounts.class);
            } catch (JsonProcessingException e) {
                throw new LockException("A client process printed other counts than JSON: " + line, e);
            }
        }

        String line() {
            try {
                return JSON.writeValueAsString(this);
            } catch (JsonProcessingException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
