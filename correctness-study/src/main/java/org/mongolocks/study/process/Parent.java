package org.mongolocks.study.process;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.mongolocks.study.simulation.Moment;
import org.mongolocks.study.simulation.Resources;

/**
 * The connection of a child to its parent, which receives reports, owns the resources, and lets workers continue.
 * Thread-safe.
 */
final class Parent {
    private final Post post;
    private final Map<Integer, BlockingQueue<List<Long>>> answers = new ConcurrentHashMap<>();

    Parent(Post post) {
        this.post = post;
    }

    void tell(Report report) {
        post.send(report.line());
    }

    Resources.Values read(int worker, Report.Grasp grasp) throws InterruptedException {
        List<Long> values = ask(worker, new Report.Read(worker, grasp));
        return new Resources.Values(values.get(0), values.get(1), values.get(2));
    }

    void write(int worker, Report.Grasp grasp, Resources.Values read) throws InterruptedException {
        ask(worker, new Report.Write(worker, grasp, read));
    }

    /** Reports that a holder has reached a fault point, and waits until it may continue. */
    void reached(int worker, Moment moment) throws InterruptedException {
        ask(worker, new Report.Reached(worker, moment));
    }

    /** Receives an answer for the worker that waits for it. */
    void answered(Order.Answer answer) {
        answersOf(answer.worker()).add(answer.numbers());
    }

    private List<Long> ask(int worker, Report report) throws InterruptedException {
        tell(report);
        return answersOf(worker).take();
    }

    private BlockingQueue<List<Long>> answersOf(int worker) {
        return answers.computeIfAbsent(worker, id -> new LinkedBlockingQueue<>());
    }
}
