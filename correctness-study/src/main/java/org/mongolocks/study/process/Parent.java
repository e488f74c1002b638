package org.mongolocks.study.process;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.mongolocks.study.simulation.Moment;
import org.mongolocks.study.simulation.Resources;

/** Is the parent as a child sees it: it takes reports, has the resources, and says when to go on. Thread-safe. */
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

    /** Says how far a holder has come, and waits until it may go on. */
    void reached(int worker, Moment moment) throws InterruptedException {
        ask(worker, new Report.Reached(worker, moment));
    }

    /** Gets an answer; it is for the worker that waits. */
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
