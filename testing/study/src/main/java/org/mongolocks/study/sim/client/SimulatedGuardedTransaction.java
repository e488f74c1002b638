package org.mongolocks.study.sim.client;

import static org.mongolocks.study.history.Event.Op.WRITE_GUARDED;

import java.util.Optional;
import java.util.function.Consumer;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.Lease;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.internal.hold.GuardedTransaction;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.spi.Reply;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.sim.client.SimulatedClient.WorkerLock;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.server.GuardedCounter;

/** One guarded write, as the clients' {@code inTransaction} does it. */
final class SimulatedGuardedTransaction {
    private final SimulatedClient client;
    private final WorkerLock holding;
    private final long workNanos;
    private final Consumer<Boolean> then;
    private final GuardedTransaction transaction;
    private final SimulatedStepRunner runner;
    private long written;

    /** Calls back with whether the lock may still be held. */
    SimulatedGuardedTransaction(SimulatedClient client, WorkerLock holding, long workNanos, Consumer<Boolean> then) {
        this.client = client;
        this.holding = holding;
        this.workNanos = workNanos;
        this.then = then;
        this.transaction = new GuardedTransaction(client.settings(), holding.hold());
        this.runner = client.runner(
                        Purpose.GUARD,
                        TimeBudget.forTransactions(client.settings().commandTimeout(), transaction::limit))
                .serving(holding.grant());
    }

    void begin() {
        try {
            var unused =
                    transaction.pauseRenewals().thenRun(() -> client.process().after(0, this::open));
        } catch (LockException e) {
            runner.close();
            report(e);
        }
    }

    private void open() {
        runner.leaveOpen(transaction::startTransaction, new Part<Lease>() {
            @Override
            public void done(Lease lease) {
                client.world().at(FaultPoint.GUARDED, client.id());
                client.process().after(workNanos, SimulatedGuardedTransaction.this::write);
            }
        });
    }

    private void write() {
        runner.send(GuardedCounter.oneMore(holding.grant()), reply -> {
            if (reply instanceof Reply.Failed failed) {
                again(failed);
            } else {
                written = GuardedCounter.count(reply);
                commit();
            }
        });
    }

    private void again(Reply.Failed failure) {
        runner.leaveOpen(() -> transaction.again(failure.cause()), new Part<Boolean>() {
            @Override
            public void done(Boolean again) {
                if (again) {
                    open();
                } else {
                    failed(failure);
                }
            }
        });
    }

    private void commit() {
        runner.leaveOpen(transaction::commit, new Part<Boolean>() {
            @Override
            public void done(Boolean committed) {
                if (committed) {
                    end(() -> answered(Phase.OK, runner.lastCommit(), ""));
                } else {
                    open();
                }
            }
        });
    }

    /** One of several programs in one session. */
    private abstract class Part<R> implements SimulatedStepRunner.Ending<R> {
        /** A failure because the lock was lost is reported as a loss. */
        @Override
        public void failed(Reply.Failed failure) {
            end(() -> {
                try {
                    transaction.requireNotLost(failure.cause());
                    answered(Phase.FAIL, 0, failure.fault().name());
                } catch (LockLostException e) {
                    report(e);
                }
            });
        }

        @Override
        public void brokenOff(LockException error) {
            end(() -> report(error));
        }
    }

    private void end(Runnable last) {
        runner.abort(() -> {
            runner.close();
            transaction.resumeRenewals();
            last.run();
        });
    }

    private void report(LockException error) {
        Phase phase = error instanceof IndeterminateOutcomeException ? Phase.INFO : Phase.FAIL;
        note(phase, 0, Optional.ofNullable(error.getMessage()).orElse(""));
        then.accept(!(error instanceof LockLostException));
    }

    private void answered(Phase phase, long commit, String note) {
        note(phase, commit, note);
        then.accept(true);
    }

    private void note(Phase phase, long commit, String note) {
        client.line(WRITE_GUARDED, phase, holding.grant())
                .decided(holding.token(), commit)
                .value(written)
                .note(note)
                .add();
    }
}
