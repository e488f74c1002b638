package org.mongolocks.study.process.parent;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.process.child.ChildMain;
import org.mongolocks.study.process.child.LivenessProbe;
import org.mongolocks.study.process.fault.ProcessFault;
import org.mongolocks.study.process.message.ChildConfig;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.process.observer.RunFailedException;
import org.mongolocks.study.process.observer.RunObserver;
import org.mongolocks.study.sim.Simulation.Outcome;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;

/**
 * One run with real processes. It ends after its fault and some further grants, if there are any; then all faults end,
 * the children exit, and a new client acquires the lock. A run whose fault did not occur is discarded.
 */
final class ProcessRun implements ProcessFault.Scene {
    private static final int CHILDREN = 3;
    private static final int WORKERS = 2;
    private static final int GRANTS = 10;
    private static final int GRANTS_OF_ONE = 3;
    private static final Duration BEGINNING = ChildMain.START_LIMIT.plusSeconds(30);
    private static final Duration LENGTH = Duration.ofSeconds(60);
    private static final Duration AFTERWARDS = RealTechniques.TTL.multipliedBy(8);
    /** The limit of a pause, for locks without expiry, which no other client gets during it. */
    private static final Duration MAX_STANDSTILL = RealTechniques.TTL.multipliedBy(3);

    private final ProcessScenario scenario;
    private final Technique technique;
    private final long seed;
    private final RunObserver observer;
    private final ProcessFault processFault;
    private final ChildGroup children;

    private ProcessRun(ProcessScenario scenario, Technique technique, long seed) {
        this.scenario = scenario;
        this.technique = technique;
        this.seed = seed;
        this.observer = new RunObserver(Matrix.claimsOf(technique).hasTokens());
        this.processFault = scenario.processFault()
                .map(fate -> fate.apply(new Random(seed)))
                .orElse(ProcessFault.NONE);
        this.children = new ChildGroup(observer, processFault, this);
    }

    /**
     * Runs a scenario once.
     *
     * @throws RunFailedException if the run shows nothing
     */
    static Outcome run(ProcessScenario scenario, Technique technique, TestDatabase database, long seed)
            throws InterruptedException {
        ChildConfig.Place place = database.newPlace();
        return new ProcessRun(scenario, technique, seed).at(place, database);
    }

    private Outcome at(ChildConfig.Place place, TestDatabase database) throws InterruptedException {
        Optional<FaultProxy> proxy = scenario.interference().map(faults -> FaultProxy.before(database.primary()));
        try (children) {
            begin(place.through(proxy.map(one -> one.address().getPort()).orElse(0)));
            try (LivenessProbe probe = new LivenessProbe(place, technique)) {
                database.prepare(place, technique);
                observer.opens();
                proxy.ifPresent(one -> scenario.interference().orElseThrow().arm(one, new Random(seed), observer));
                proceed();
                proxy.ifPresent(FaultProxy::heal);
                children.stop();
                probe.probe(observer, CHILDREN + 1, RealTechniques.LOCK, LivenessProbe.LIMIT);
            }
            return outcome();
        } finally {
            proxy.ifPresent(FaultProxy::close);
        }
    }

    private Outcome outcome() {
        observer.requireNoFailure();
        History history = observer.history(RealTechniques.TTL);
        boolean wasHarmed = history.events().stream().anyMatch(event -> event.op() == Op.FAULT);
        if (scenario.interference().isPresent() && !wasHarmed) {
            throw new RunFailedException("No command was hit by a network fault");
        }
        long commands =
                children.children().stream().mapToLong(ChildHandle::commands).sum();
        return new Outcome(history, commands, 0, history.events().size());
    }

    private void begin(ChildConfig.Place place) throws InterruptedException {
        scenario.clock().ifPresent(clock -> observer.recordFault(1, Op.FAULT, Phase.INFO, scenario.about()));
        for (int number = 1; number <= CHILDREN; number++) {
            ChildHandle child = children.start(number == 1 ? scenario.clock() : Optional.empty());
            long childSeed = seed * CHILDREN + number;
            child.send(new ParentMessage.Start(
                    new ChildConfig(place, technique.name(), ChildConfig.Driver.SYNC, WORKERS, childSeed)));
        }
        if (!observer.await(() -> children.children().stream().allMatch(ChildHandle::hasBegun), BEGINNING)) {
            throw new RunFailedException("The children did not start within " + BEGINNING);
        }
    }

    private void proceed() throws InterruptedException {
        if (!observer.await(processFault::isOver, LENGTH)) {
            throw new RunFailedException("The fault of a holder did not occur within " + LENGTH);
        }
        int enough = observer.grants() + GRANTS;
        observer.await(() -> observer.grants() >= enough && hasTakenPart(), AFTERWARDS);
    }

    /** Returns whether the client with a wrong clock was granted the lock; otherwise the run shows nothing. */
    private boolean hasTakenPart() {
        return scenario.clock().isEmpty() || observer.grantsOf(1) >= GRANTS_OF_ONE;
    }

    /** Recorded before the kill, so that no event of the process follows its end in the history. */
    @Override
    public void kill(int child) {
        observer.recordFault(child, Op.CRASH, Phase.OK, "SIGKILL");
        children.child(child).kill();
        observer.changed();
    }

    /** Recorded as slightly longer than it is, so that no event of the process falls into its pause in the history. */
    @Override
    public void pause(int child) throws InterruptedException {
        int before = observer.touchesOfOthers(child);
        observer.recordFault(child, Op.PAUSE, Phase.INVOKE, "SIGSTOP");
        children.child(child).suspend();
        try {
            observer.await(() -> observer.touchesOfOthers(child) > before, MAX_STANDSTILL);
        } finally {
            children.child(child).resume();
            observer.recordFault(child, Op.PAUSE, Phase.OK, "SIGCONT");
        }
    }
}
