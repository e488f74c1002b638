package org.mongolocks.study.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.mongolocks.study.process.Report.Clocks;
import org.mongolocks.study.technique.Technique;

/**
 * The main program of a process that contends for the lock until its parent stops it. It exits at once if its parent
 * has exited.
 */
public final class Child {
    /** The environment variable with the key by which the parent recognizes its children. */
    static final String KEY = "MONGO_LOCKS_STUDY_KEY";

    private static final int ORPHANED = 3;

    private final Post post;
    private final Parent parent;
    private final List<Worker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    private Child(Post post) {
        this.post = post;
        this.parent = new Parent(post);
    }

    /**
     * Runs the process.
     *
     * @param arguments the port of the parent, then the number of this child
     * @throws IOException if the parent cannot be reached
     */
    public static void main(String[] arguments) throws IOException {
        Post post = Post.to(Integer.parseInt(arguments[0]));
        String key = Objects.requireNonNullElse(System.getenv(KEY), "");
        post.send(new Report.Hello(key, Integer.parseInt(arguments[1]), Clocks.now()).line());
        new Child(post).live();
        System.exit(0);
    }

    private void live() {
        if (receive() instanceof Order.Start start) {
            try (Contender contender = open(start.assignment())) {
                begin(start.assignment(), contender);
                serve();
                end();
            } catch (InterruptedException | RuntimeException e) {
                parent.tell(new Report.Trouble(e.toString()));
                return;
            }
            parent.tell(new Report.Bye(Clocks.now()));
        }
    }

    private static Contender open(Assignment assignment) throws InterruptedException {
        Technique technique = RealTechniques.named(assignment.technique());
        return Contender.of(assignment.place(), technique);
    }

    private void begin(Assignment assignment, Contender contender) {
        Notes notes = new Notes(event -> parent.tell(new Report.Happened(event)));
        for (int id = 1; id <= assignment.workers(); id++) {
            Random random = new Random(assignment.seed() * 31 + id);
            Worker worker = new Worker(id, parent, contender, new Worker.Pen(notes, random));
            Thread thread = new Thread(worker, "worker-" + id);
            thread.setUncaughtExceptionHandler((which, e) -> parent.tell(new Report.Trouble(e.toString())));
            workers.add(worker);
            threads.add(thread);
        }
        parent.tell(new Report.Sent(contender.sent()));
        threads.forEach(Thread::start);
    }

    private void serve() {
        Order order = receive();
        while (order instanceof Order.Answer answer) {
            parent.answered(answer);
            order = receive();
        }
        workers.forEach(Worker::stop);
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
        while (receive() instanceof Order.Answer answer) {
            parent.answered(answer);
        }
    }

    /**
     * Receives a message, and halts the JVM if the parent has exited: no process should outlive it, whatever its
     * threads are doing.
     */
    private Order receive() {
        Optional<String> line = post.receive();
        if (line.isEmpty()) {
            Runtime.getRuntime().halt(ORPHANED);
        }
        return Order.parse(line.orElseThrow());
    }
}
