package org.mongolocks.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;

/**
 * Compares strategies on one server, in five parts, each bounded in time:
 *
 * <ol>
 *   <li>everything runs warm, and what the server lacks shows;
 *   <li>round by round, the floor and the strategies take turns: floor, first strategy, floor, second strategy, floor,
 *       and so on, one thread on one free lock;
 *   <li>the commands of each operation are counted;
 *   <li>eight threads contend for one lock;
 *   <li>more and more wait for one lock, and the commands that each grant costs are counted.
 * </ol>
 */
final class Comparison {
    private final Session session;
    private final Budget budget;
    private final List<Entrant> entrants;
    private final Floor floor;
    private final List<Block> floorBlocks = new ArrayList<>();

    Comparison(Session session, Budget budget) {
        this.session = session;
        this.budget = budget;
        this.entrants = session.strategies().stream()
                .map(strategy -> new Entrant(strategy, session.bench()))
                .toList();
        this.floor = session.bench().floor();
    }

    /** Measures everything. */
    Measurements run() throws InterruptedException {
        warmUp();
        takeTurns();
        forEach("commands", trial -> trial.countCommands(budget.costs()));
        forEach("contention", trial -> trial.contend(budget.contention()));
        forEach("waiters", trial -> trial.gatherCrowds(budget.crowd()));
        forEach("summary", trial -> session.record(trial.latency()));
        return new Measurements(
                FloorFigures.of(floorBlocks),
                entrants.stream().map(Entrant::result).toList());
    }

    private void warmUp() throws InterruptedException {
        begin("warm-up");
        Block.of(budget.warmUp(), floor::run);
        forEach("warm-up", trial -> trial.alone(budget.warmUp()));
    }

    private void takeTurns() throws InterruptedException {
        for (int round = 1; round <= budget.rounds(); round++) {
            begin("latency, round " + round + " of " + budget.rounds());
            Block.of(budget.round(), this::lap);
        }
    }

    private void lap() throws InterruptedException {
        Block before = floorTurn();
        for (Entrant entrant : entrants) {
            before = turn(entrant, before);
        }
    }

    private Block turn(Entrant entrant, Block before) throws InterruptedException {
        entrant.go(trial -> trial.alone(budget.turn()));
        Block after = floorTurn();
        entrant.go(trial -> trial.compareWith(before, after));
        return after;
    }

    private Block floorTurn() throws InterruptedException {
        Block block = Block.of(budget.turn(), floor::run);
        floorBlocks.add(block);
        return block;
    }

    private void forEach(String what, Entrant.Part part) throws InterruptedException {
        for (Entrant entrant : entrants) {
            begin(what + ", " + entrant.name());
            entrant.go(part);
        }
    }

    private void begin(String what) {
        session.step(what);
    }
}
