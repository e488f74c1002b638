package org.mongolocks.study.sim.workload;

import static org.mongolocks.study.history.Event.Op.LEAD;
import static org.mongolocks.study.history.Event.Phase.INVOKE;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.LeaderEvent;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.internal.CandidateWork;
import org.mongolocks.leader.internal.ElectionMachine;
import org.mongolocks.leader.internal.LockPort.RoleLock;
import org.mongolocks.study.sim.client.SimulatedClient;
import org.mongolocks.study.sim.client.SimulatedClient.WorkerLock;
import org.mongolocks.study.sim.client.SimulatedLockPort;
import org.mongolocks.study.sim.client.SimulatedLockPort.SimulatedRole;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.config.Workload.Locks;
import org.mongolocks.study.sim.driver.SimulatedWorld;
import org.mongolocks.study.sim.server.ProtectedResources;
import org.mongolocks.study.technique.Techniques;

/** A candidate of a leader election, on the library's course of a candidacy: while it leads it works and writes. */
public final class LeaderWorker extends Worker implements CandidateWork {
    private static final Duration PAUSE = Duration.ofMillis(500);
    /** One term in so many ends by itself after each step of its work. */
    private static final int STEPS = 4;

    public LeaderWorker(SimulatedWorld world, SimulatedClient client, RandomGenerator random) {
        super(world, client, random);
    }

    /** Starts the candidacy, which ends with the workload. */
    @Override
    void ask() {
        ElectionMachine candidacy = new ElectionMachine(candidate(), new SimulatedLockPort(client), this);
        candidacy.begin();
        long left = world.workload().length().toNanos() - world.nowNanos();
        after(left, () -> {
            var unused = candidacy.close(Techniques.TTL);
        });
    }

    private Candidate candidate() {
        Candidate candidate = Candidate.of(Locks.one().value(), Techniques.TTL).pause(PAUSE);
        return world.usage().use() == LockUsage.Use.LEAD_SETTLED ? candidate.settling(Techniques.TTL) : candidate;
    }

    @Override
    public void handle(LeaderEvent event) {
        // the work is notified by its revocation
    }

    @Override
    public Running begin(Term term, RoleLock lock, Runnable ended) {
        TermWork work = new TermWork(term, ((SimulatedRole) lock).holding(), ended);
        client.line(LEAD, INVOKE, work.holding).add();
        world.at(FaultPoint.GRANTED, client.id());
        after(0, work::read);
        return work::revoked;
    }

    /** The work of one term: it reads once, and then works and writes in turns. */
    private final class TermWork {
        private final Term term;
        private final WorkerLock holding;
        private final Runnable ended;
        private boolean isRevoked;

        TermWork(Term term, WorkerLock holding, Runnable ended) {
            this.term = term;
            this.holding = holding;
            this.ended = ended;
        }

        void revoked() {
            if (!isRevoked) {
                isRevoked = true;
                client.line(LEAD, OK, holding).add();
            }
        }

        void read() {
            afterDelay(() -> {
                ProtectedResources.Values values = world.resources().read(holding.user(client.id()));
                afterDelay(() -> after(0, () -> work(() -> check(values))));
            });
        }

        private void check(ProtectedResources.Values values) {
            if (isRevoked || !term.isLeading()) {
                end();
                return;
            }
            world.at(FaultPoint.CHECKED, client.id());
            after(0, () -> write(values));
        }

        private void write(ProtectedResources.Values values) {
            afterDelay(() -> {
                world.resources().write(holding.user(client.id()), values);
                afterDelay(() -> after(0, () -> next(values.plus(1))));
            });
        }

        private void next(ProtectedResources.Values values) {
            if (random.nextInt(STEPS) == 0) {
                end();
            } else {
                work(() -> check(values));
            }
        }

        private void end() {
            revoked();
            world.at(FaultPoint.DONE, client.id());
            after(0, ended);
        }
    }
}
