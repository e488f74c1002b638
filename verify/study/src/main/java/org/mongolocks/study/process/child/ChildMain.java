package org.mongolocks.study.process.child;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.mongolocks.study.process.message.ChildConfig;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.ChildMessage.Clocks;
import org.mongolocks.study.process.message.MessageChannel;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.process.parent.RealTechniques;
import org.mongolocks.study.technique.Technique;

/**
 * The main program of a process that contends for the lock until its parent stops it. It exits at once if its parent
 * has exited.
 */
public final class ChildMain {
    /** The environment variable with the key by which the parent recognizes its children. */
    public static final String KEY = "MONGO_LOCKS_STUDY_KEY";

    private static final int ORPHANED = 3;

    private final MessageChannel post;
    private final ParentConnection parent;
    private final List<ChildWorker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    private ChildMain(MessageChannel post) {
        this.post = post;
        this.parent = new ParentConnection(post);
    }

    /**
     * Runs the process.
     *
     * @param arguments the port of the parent, then the number of this child
     * @throws IOException if the parent cannot be reached
     */
    public static void main(String[] arguments) throws IOException {
        MessageChannel post = MessageChannel.to(Integer.parseInt(arguments[0]));
        String key = Objects.requireNonNullElse(System.getenv(KEY), "");
        post.send(new ChildMessage.Hello(key, Integer.parseInt(arguments[1]), Clocks.now()).line());
        new ChildMain(post).live();
        System.exit(0);
    }

    private void live() {
        if (receive() instanceof ParentMessage.Start start) {
            try (ChildClient contender = open(start.assignment())) {
                begin(start.assignment(), contender);
                serve();
                end();
            } catch (InterruptedException | RuntimeException e) {
                parent.tell(new ChildMessage.Trouble(e.toString()));
                return;
            }
            parent.tell(new ChildMessage.Bye(Clocks.now()));
        }
    }

    private static ChildClient open(ChildConfig assignment) throws InterruptedException {
        Technique technique = RealTechniques.named(assignment.technique());
        return ChildClient.of(assignment.place(), technique);
    }

    private void begin(ChildConfig assignment, ChildClient contender) {
        ChildHistory notes = new ChildHistory(event -> parent.tell(new ChildMessage.Happened(event)));
        for (int id = 1; id <= assignment.workers(); id++) {
            Random random = new Random(assignment.seed() * 31 + id);
            ChildWorker worker = new ChildWorker(id, parent, contender, new ChildWorker.Pen(notes, random));
            Thread thread = new Thread(worker, "worker-" + id);
            thread.setUncaughtExceptionHandler((which, e) -> parent.tell(new ChildMessage.Trouble(e.toString())));
            workers.add(worker);
            threads.add(thread);
        }
        parent.tell(new ChildMessage.Sent(contender.sent()));
        threads.forEach(Thread::start);
    }

    private void serve() {
        ParentMessage order = receive();
        while (order instanceof ParentMessage.Answer answer) {
            parent.answered(answer);
            order = receive();
        }
        workers.forEach(ChildWorker::stop);
    }

    /** Requests in flight still get a reply. */
    private void end() throws InterruptedException {
        Thread answering = new Thread(this::answer, "answers");
        answering.setDaemon(true);
        answering.start();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void answer() {
        while (receive() instanceof ParentMessage.Answer answer) {
            parent.answered(answer);
        }
    }

    /**
     * Receives a message, and halts the JVM if the parent has exited: no process should outlive it, whatever its
     * threads are doing.
     */
    private ParentMessage receive() {
        Optional<String> line = post.receive();
        if (line.isEmpty()) {
            Runtime.getRuntime().halt(ORPHANED);
        }
        return ParentMessage.parse(line.orElseThrow());
    }
}
