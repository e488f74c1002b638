package org.mongolocks.study.exhaustive;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.mongolocks.spi.MongoOp;

/**
 * What the clients of a world do next. A client that remembers the same does the same after the same input, so each step is taken
 * once, in whatever state of the world it comes first.
 */
final class ClientPrograms {
    private final SmallWorld world;
    private final Map<Step, ProgramPoint> known = new HashMap<>();
    private final Map<List<Object>, MongoOp> mistakes = new HashMap<>();

    private record Step(int client, UUID memory, ClientInput input) {}

    ClientPrograms(SmallWorld world) {
        this.world = world;
    }

    ProgramPoint begin(int client) {
        return new ProgramPoint(null, Digested.digestOf(""), new SearchedClient(world, client, mistakes).view());
    }

    ProgramPoint after(int client, ProgramPoint point, ClientInput input) {
        return known.computeIfAbsent(new Step(client, point.memory(), input), step -> {
            SearchedClient running = new SearchedClient(world, client, mistakes);
            Chain.all(point.inputs()).forEach(running::take);
            running.take(input);
            ClientView view = running.view();
            boolean isBetweenActions = view.request() == null && !view.isPaused();
            return new ProgramPoint(
                    new Chain<>(point.inputs(), input),
                    Digested.digestOf(isBetweenActions ? running.memory() : point.memory() + input.toString()),
                    view);
        });
    }

    /** Returns a client that comes after all others, and waits for the lock. */
    SearchedClient late() {
        return new SearchedClient(world.ofOneThatComesLate(), world.clients(), mistakes);
    }
}
