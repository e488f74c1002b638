package org.mongolocks.study.process;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.mongolocks.process.ChildProcess;
import org.mongolocks.study.process.child.ChildMain;
import org.mongolocks.study.process.fault.WrongClock;
import org.mongolocks.study.process.message.ChildMessage.Clocks;
import org.mongolocks.study.process.message.ParentMessage;

/** The children of one run. Closing it ends all of them. */
final class ChildGroup implements AutoCloseable {
    private static final Duration FAREWELL = Duration.ofMinutes(3);
    /** A small heap: a run needs several processes. */
    private static final List<String> OPTIONS = List.of("-Xmx64m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");

    private final RunObserver observer;
    private final Child.PointListener points;
    private final List<Child> children = new CopyOnWriteArrayList<>();

    ChildGroup(RunObserver observer, Child.PointListener points) {
        this.observer = observer;
        this.points = points;
    }

    /**
     * Starts one more child.
     *
     * @param clock its wrong wall clock, if any
     * @throws RunFailedException if a wrong clock cannot be given to it
     */
    synchronized Child start(Optional<WrongClock> clock) {
        // Read before the start, because the child may read its clock before start() returns.
        Clocks started = Clocks.now();
        Map<String, String> environment = clock.map(wrong -> wrong.environment(
                        WrongClock.library().orElseThrow(() -> new RunFailedException("faketime is not installed"))))
                .orElse(Map.of());
        ChildProcess process = ChildProcess.start(ChildMain.class, OPTIONS, List.of(), environment);
        Child child = new Child(children.size() + 1, process, observer, points, started, clock);
        children.add(child);
        process.listen(child);
        return child;
    }

    /** Returns all, also those that have ended. */
    List<Child> all() {
        return children;
    }

    /** Returns a child by its number. */
    Child get(int number) {
        return children.get(number - 1);
    }

    /** Stops all children, and waits until they have exited. */
    void stop() throws InterruptedException {
        children.forEach(child -> child.send(new ParentMessage.Stop()));
        if (!observer.await(() -> children.stream().allMatch(Child::hasEnded), FAREWELL)) {
            String late = children.stream()
                    .filter(child -> !child.hasEnded())
                    .map(child -> Integer.toString(child.number()))
                    .collect(Collectors.joining(", "));
            throw new RunFailedException("Children did not exit within " + FAREWELL + ": " + late);
        }
    }

    @Override
    public void close() {
        children.forEach(Child::close);
    }
}
