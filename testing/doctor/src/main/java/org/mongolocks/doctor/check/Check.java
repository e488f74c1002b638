package org.mongolocks.doctor.check;

import com.mongodb.MongoException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.mongolocks.doctor.check.CheckResult.Status;

/** A check of a deployment. It ends in bounded time and writes to scratch collections only. */
public abstract class Check {
    private final String id;
    private final Set<Promise> promises;

    Check(String id, Promise first, Promise... others) {
        this.id = id;
        this.promises = EnumSet.of(first, others);
    }

    /** Returns all checks, in the order of the report. */
    public static List<Check> all() {
        return Stream.of(
                        List.of(
                                new ServerCheck(),
                                new ClockCheck(),
                                new WriteBlockCheck(),
                                new NumberedWriteCheck(),
                                new DurabilityCheck()),
                        CommandCheck.each(),
                        List.of(
                                new TransactionCheck(),
                                new OrphanCheck(),
                                new ChangeStreamCheck(),
                                new DefaultTimeLimitCheck(),
                                new LockLifeCheck(),
                                new StableApiCheck(),
                                new CollectionCheck(),
                                new RightsCheck(),
                                new UriCheck(),
                                new OverloadCheck()))
                .flatMap(List::stream)
                .toList();
    }

    /** Returns the name of the check in the report. */
    public final String id() {
        return id;
    }

    /**
     * Runs the check. An error of the server, or a reply that MongoDB would not send, is a finding, never an exception.
     *
     * @throws InterruptedException if the thread was interrupted
     */
    public final List<CheckResult> run(Deployment deployment) throws InterruptedException {
        try {
            List<CheckResult> findings = look(deployment).toList();
            requireUninterrupted();
            return findings;
        } catch (RuntimeException e) {
            requireUninterrupted();
            return List.of(unseen(deployment, "no reply, or not the reply of a MongoDB: " + Errors.text(e)));
        }
    }

    /** The driver reports an interrupt as a failure of a command, and leaves the thread interrupted. */
    private static void requireUninterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    abstract Stream<CheckResult> look(Deployment deployment) throws InterruptedException;

    final CheckResult ok(Deployment deployment, String seen) {
        return finding(Status.OK, deployment.names(), seen);
    }

    final CheckResult unseen(Deployment deployment, String why) {
        return finding(Status.UNSEEN, deployment.names(), why);
    }

    /** Creates a finding about something that could not be read. */
    final CheckResult unread(Deployment deployment, String what, MongoException e) {
        String refusal = Errors.refusal(e);
        return unseen(deployment, what + ": " + (refusal == null ? Errors.text(e) : refusal));
    }

    /** Creates a finding about the promises of this check. */
    final CheckResult finding(Status status, Set<String> strategies, String seen) {
        return new CheckResult(id, status, seen, promises, strategies, List.of());
    }
}
