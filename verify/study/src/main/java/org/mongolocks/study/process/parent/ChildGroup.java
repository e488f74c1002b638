package org.mongolocks.study.process.parent;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.mongolocks.process.ChildProcess;
import org.mongolocks.study.process.child.ChildMain;
import org.mongolocks.study.process.fault.ClockSkew;
import org.mongolocks.study.process.fault.Faketime;
import org.mongolocks.study.process.fault.ProcessFault;
import org.mongolocks.study.process.message.ChildMessage.Clocks;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.process.observer.ChildObserver;
import org.mongolocks.study.process.observer.RunFailedException;

/** The children of one run. Closing it ends all of them. */
public final class ChildGroup implements AutoCloseable {
    private static final Duration FAREWELL = Duration.ofMinutes(3);
    /** A small heap: a run needs several processes. */
    private static final List<String> OPTIONS = List.of("-Xmx64m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");

    private final ChildHandle.Context context;
    private final List<ChildHandle> children = new CopyOnWriteArrayList<>();

    /**
     * Creates a group without children.
     *
     * @param observer receives what they report
     * @param fault the fault of holders
     * @param scene the actions of the fault
     */
    public ChildGroup(ChildObserver observer, ProcessFault fault, ProcessFault.Scene scene) {
        this.context = new ChildHandle.Context(observer, fault, scene);
    }

    /**
     * Starts one more child. One thread starts children.
     *
     * @param clock its wrong wall clock, if any
     * @throws RunFailedException if a wrong clock cannot be given to it
     */
    public ChildHandle start(Optional<ClockSkew> clock) {
        // Read before the start, because the child may read its clock before start() returns.
        Clocks started = Clocks.now();
        Map<String, String> environment = clock.map(ChildGroup::environment).orElse(Map.of());
        ChildProcess process = ChildProcess.start(ChildMain.class, OPTIONS, List.of(), environment);
        ChildHandle child = new ChildHandle(children.size() + 1, process, context, started, clock);
        children.add(child);
        process.listen(child);
        return child;
    }

    private static Map<String, String> environment(ClockSkew clock) {
        return Faketime.find()
                .map(faketime -> faketime.environment(clock))
                .orElseThrow(() -> new RunFailedException("faketime is not installed"));
    }

    /** Returns all, also those that have ended. */
    public List<ChildHandle> children() {
        return List.copyOf(children);
    }

    /** Returns a child by its number. */
    public ChildHandle child(int number) {
        return children.get(number - 1);
    }

    /** Stops all children, and waits until they have exited. */
    public void stop() throws InterruptedException {
        children.forEach(child -> child.send(new ParentMessage.Stop()));
        if (!context.observer().await(() -> children.stream().allMatch(ChildHandle::hasEnded), FAREWELL)) {
            String late = children.stream()
                    .filter(child -> !child.hasEnded())
                    .map(child -> Integer.toString(child.number()))
                    .collect(Collectors.joining(", "));
            throw new RunFailedException("Children did not exit within " + FAREWELL + ": " + late);
        }
    }

    @Override
    public void close() {
        children.forEach(ChildHandle::close);
    }
}
