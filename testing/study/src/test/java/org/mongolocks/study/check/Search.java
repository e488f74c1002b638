package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.List;

/**
 * A search for an order of operations that a lock could have executed, by trying all orders: each operation takes
 * effect at one time between its request and its reply. Slow, and independent of the checker.
 */
final class Search {
    private Search() {}

    /** An acquisition or a release by one owner. */
    record Operation(int owner, boolean isRelease, long token, long asked, long answered) {}

    /** The state of a lock: its holder, and the largest token so far. */
    private record State(int holder, long token) {
        State after(Operation operation) {
            return operation.isRelease() ? new State(0, token) : new State(operation.owner(), operation.token());
        }
    }

    /** Returns whether a lock without tokens, which knows its owner, could have given these replies. */
    static boolean isMutex(List<Operation> operations) {
        return search(operations, new State(0, 0), false);
    }

    /** Returns whether such a lock with growing tokens could have given these replies. */
    static boolean isFencedMutex(List<Operation> operations) {
        return search(operations, new State(0, 0), true);
    }

    private static boolean search(List<Operation> left, State state, boolean byTokens) {
        long firstAnswer = left.stream().mapToLong(Operation::answered).min().orElse(Long.MAX_VALUE);
        return left.isEmpty()
                || left.stream()
                        .filter(next -> next.asked() <= firstAnswer)
                        .filter(next ->
                                isLegal(next, state) && (!byTokens || next.isRelease() || next.token() > state.token()))
                        .anyMatch(next -> search(without(left, next), state.after(next), byTokens));
    }

    private static boolean isLegal(Operation next, State state) {
        return next.isRelease() ? state.holder() == next.owner() : state.holder() == 0;
    }

    private static List<Operation> without(List<Operation> all, Operation one) {
        List<Operation> left = new ArrayList<>(all);
        left.remove(one);
        return left;
    }
}
