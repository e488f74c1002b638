package org.mongolocks.study.exhaustive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Visits the states of a small world, those that need fewer moves first, so that the first counter-example is a short one.
 * States with the same digest are visited once.
 */
public final class Search {
    private final SmallWorld world;
    private final Transitions transitions;
    private final int maxStates;
    private final Set<UUID> visited = new HashSet<>();
    private final long startedNanos = System.nanoTime();
    private long moves;
    private int depth;

    private Search(SmallWorld world, int maxStates) {
        this.world = world;
        this.transitions = new Transitions(world);
        this.maxStates = maxStates;
    }

    /**
     * Searches a world.
     *
     * @param maxStates after how many states the search is cut
     */
    public static SearchResult of(SmallWorld world, int maxStates) {
        return new Search(world, maxStates).run();
    }

    /**
     * Searches the worlds of a twin, one after another, until something is found.
     *
     * @param maxStates after how many states the search of a world is cut
     * @return what was found, or what the last search came to
     */
    public static SearchResult of(Twin twin, int maxStates) {
        SearchResult result = null;
        for (SmallWorld world : SmallWorlds.of(twin)) {
            result = of(world, maxStates);
            if (result.complaint().isPresent()) {
                return result;
            }
        }
        return Objects.requireNonNull(result);
    }

    private SearchResult run() {
        List<WorldState> level = unknown(transitions.begin());
        while (!level.isEmpty()) {
            Optional<WorldState> end = level.stream()
                    .flatMap(state ->
                            Stream.concat(transitions.deadEnd(state).stream(), transitions.leftBehind(state).stream()))
                    .findFirst();
            if (end.isPresent()) {
                return result(false, end);
            }
            List<WorldState> deeper = new ArrayList<>();
            for (WorldState state : level) {
                List<WorldState> next = transitions.next(state);
                moves += next.size();
                Optional<WorldState> wrong =
                        next.stream().filter(each -> each.complaint() != null).findFirst();
                if (wrong.isPresent()) {
                    return result(false, wrong);
                }
                deeper.addAll(unknown(next));
                if (visited.size() > maxStates) {
                    return result(false, Optional.empty());
                }
            }
            level = deeper;
            depth += deeper.isEmpty() ? 0 : 1;
        }
        return result(true, Optional.empty());
    }

    private SearchResult result(boolean isWhole, Optional<WorldState> wrong) {
        return new SearchResult(
                world,
                visited.size(),
                moves,
                depth,
                isWhole,
                wrong.orElse(null),
                Duration.ofNanos(System.nanoTime() - startedNanos));
    }

    private List<WorldState> unknown(List<WorldState> states) {
        return states.stream().filter(state -> visited.add(state.digest())).toList();
    }
}
