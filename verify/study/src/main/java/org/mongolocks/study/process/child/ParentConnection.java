package org.mongolocks.study.process.child;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.MessageChannel;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.server.ProtectedResources;

/**
 * The connection of a child to its parent, which receives reports, owns the resources, and lets workers continue.
 * Thread-safe.
 */
final class ParentConnection {
    private final MessageChannel post;
    private final AtomicLong sent = new AtomicLong();
    private final Map<Integer, BlockingQueue<List<Long>>> answers = new ConcurrentHashMap<>();

    ParentConnection(MessageChannel post) {
        this.post = post;
    }

    /** Returns the counter of the commands that the child has sent to the server. */
    AtomicLong commands() {
        return sent;
    }

    void tell(ChildMessage report) {
        post.send(report.line());
    }

    /** Returns the lock to acquire next; 0 for the only one. */
    int nextLock(int worker, String technique) throws InterruptedException {
        return ask(worker, new ChildMessage.Next(worker, technique)).get(0).intValue();
    }

    ProtectedResources.Values read(int worker, ChildMessage.GrantToken grantToken) throws InterruptedException {
        List<Long> values = ask(worker, new ChildMessage.Read(worker, grantToken));
        return new ProtectedResources.Values(values.get(0), values.get(1), values.get(2));
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
        answersOf(answer.worker()).add(answer.numbers());
    }

    private List<Long> ask(int worker, ChildMessage report) throws InterruptedException {
        tell(report);
        return answersOf(worker).take();
    }

    private BlockingQueue<List<Long>> answersOf(int worker) {
        return answers.computeIfAbsent(worker, id -> new LinkedBlockingQueue<>());
    }
}
