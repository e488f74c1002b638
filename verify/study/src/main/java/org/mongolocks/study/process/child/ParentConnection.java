package org.mongolocks.study.process.child;

import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.MessageLine;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.server.ProtectedResources;

/**
 * The connection of a child to its parent, which receives reports, owns the resources, and lets workers continue.
 * Thread-safe.
 */
final class ParentConnection {
    private final PrintStream out;
    private final AtomicLong sent = new AtomicLong();
    private final Map<Integer, BlockingQueue<ParentMessage.Answer>> answers = new ConcurrentHashMap<>();

    ParentConnection(PrintStream out) {
        this.out = out;
    }

    /** Returns the counter of the commands that the child has sent to the server. */
    AtomicLong commands() {
        return sent;
    }

    void tell(ChildMessage report) {
        out.println(MessageLine.of((Record) report));
    }

    /** Returns the number of the lock to acquire next, or {@link ParentMessage#NO_LOCK}. */
    int nextLock(int worker, String technique) throws InterruptedException {
        return ask(worker, new ChildMessage.Next(worker, technique)).lock();
    }

    ProtectedResources.Values read(int worker, ChildMessage.GrantToken grantToken) throws InterruptedException {
        return ask(worker, new ChildMessage.Read(worker, grantToken)).values();
    }

    void write(int worker, ChildMessage.GrantToken grantToken, ProtectedResources.Values read)
            throws InterruptedException {
        ask(worker, new ChildMessage.Write(worker, grantToken, read));
    }

    /** Reports that a holder has reached a fault point, and waits until it may continue. */
    void reached(int worker, FaultPoint moment) throws InterruptedException {
        ask(worker, new ChildMessage.Reached(worker, moment));
    }

    /** Receives an answer for the worker that waits for it. */
    void answered(ParentMessage.Answer answer) {
        answersOf(answer.worker()).add(answer);
    }

    private ParentMessage.Answer ask(int worker, ChildMessage report) throws InterruptedException {
        tell(report);
        return answersOf(worker).take();
    }

    private BlockingQueue<ParentMessage.Answer> answersOf(int worker) {
        return answers.computeIfAbsent(worker, id -> new LinkedBlockingQueue<>());
    }
}
