package org.mongolocks.study.exhaustive;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Visits the states of a small world, those that need fewer moves first, so that the first counter-example is a shortest one.
 * States with the same digest are visited once.
 */
final class Search {
    private final Transitions transitions;
    private final int maxStates;
    private final Set<Digest> visited = new HashSet<>();

    Search(SmallWorld world, int maxStates) {
        this.transitions = new Transitions(world);
        this.maxStates = maxStates;
    }

    /**
     * What a search has found.
     *
     * @param states how many different states there are
     * @param transitions how many moves led from one to another, or to one that was known
     * @param depth the largest number of moves that a state needs
     * @param isWhole whether all states were visited
     * @param wrong the first state in which something is wrong
     */
    record Result(int states, long transitions, int depth, boolean isWhole, Optional<WorldState> wrong) {}

    Result run() {
        List<WorldState> level = unknown(transitions.begin());
        long moves = 0;
        int depth = 0;
        while (!level.isEmpty()) {
            List<WorldState> deeper = new ArrayList<>();
            for (WorldState state : level) {
                List<WorldState> next = transitions.next(state);
                moves += next.size();
                WorldState wrong = transitions.deadEnd(state).orElse(firstWrong(next));
                if (wrong != null) {
                    return new Result(visited.size(), moves, depth + 1, false, Optional.of(wrong));
                }
                deeper.addAll(unknown(next));
                if (visited.size() > maxStates) {
                    return new Result(visited.size(), moves, depth + 1, false, Optional.empty());
                }
            }
            level = deeper;
            depth += deeper.isEmpty() ? 0 : 1;
        }
        return new Result(visited.size(), moves, depth, true, Optional.empty());
    }

    private static @Nullable WorldState firstWrong(List<WorldState> states) {
        return states.stream()
                .filter(state -> state.complaint() != null)
                .findFirst()
                .orElse(null);
    }

    private List<WorldState> unknown(List<WorldState> states) {
        return states.stream().filter(state -> visited.add(state.digest())).toList();
    }
}
