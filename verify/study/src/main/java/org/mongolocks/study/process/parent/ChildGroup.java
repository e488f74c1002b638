package org.mongolocks.study.process.parent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.mongolocks.study.process.child.ChildMain;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.MessageChannel;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.process.observer.ChildObserver;
import org.mongolocks.study.process.observer.RunFailedException;

/** The children of one run, and the server socket to which they connect. Closing it ends all of them. */
public final class ChildGroup implements AutoCloseable {
    private static final int BACKLOG = 256;
    private static final Duration ARRIVAL = Duration.ofSeconds(60);
    /** How long a child that exits before it connects may go unnoticed. */
    private static final int NOTICE_MILLIS = 100;

    private static final Duration FAREWELL = Duration.ofSeconds(60);

    private final ServerSocket serverSocket;
    private final String key = Long.toHexString(new SecureRandom().nextLong());
    private final List<ChildHandle> children = new CopyOnWriteArrayList<>();

    public ChildGroup() {
        try {
            serverSocket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
            serverSocket.setSoTimeout(NOTICE_MILLIS);
        } catch (IOException e) {
            throw new RunFailedException("No port is free for connections of the children", e);
        }
    }

    /** Starts one more child. One thread starts children. */
    public void raise(Map<String, String> environment, Function<ChildProcess, ChildHandle> child) {
        Map<String, String> all = new HashMap<>(environment);
        all.put(ChildMain.KEY, key);
        children.add(child.apply(ChildProcess.start(children.size() + 1, serverSocket.getLocalPort(), all)));
    }

    /** Waits until all have connected. */
    void awaitAll() {
        awaitMore(children.size());
    }

    /**
     * Waits until a number of new children have connected.
     *
     * @throws RunFailedException if one exits before, or takes too long; the message has its output
     */
    public void awaitMore(int count) {
        for (int i = 0; i < count; i++) {
            next();
        }
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
    public void stop(ChildObserver observer) throws InterruptedException {
        children.forEach(child -> child.send(new ParentMessage.Stop()));
        if (!observer.await(() -> children.stream().allMatch(ChildHandle::hasEnded), FAREWELL)) {
            String late = children.stream()
                    .filter(child -> !child.hasEnded())
                    .map(child -> Integer.toString(child.process().number()))
                    .collect(Collectors.joining(", "));
            throw new RunFailedException("Children did not exit within " + FAREWELL + ": " + late);
        }
    }

    @Override
    public void close() {
        children.forEach(ChildHandle::close);
        try {
            serverSocket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void next() {
        try {
            MessageChannel post = new MessageChannel(accept());
            ChildMessage first = ChildMessage.parse(post.receive().orElse(""));
            if (first instanceof ChildMessage.Hello hello && isOurs(hello)) {
                child(hello.child()).meet(hello, post);
            } else {
                throw new RunFailedException("A process connected that is not a child of this run");
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new RunFailedException("A connection of a child failed: " + e.getMessage(), e);
        }
    }

    private Socket accept() throws IOException {
        long deadlineNanos = System.nanoTime() + ARRIVAL.toNanos();
        while (true) {
            try {
                return serverSocket.accept();
            } catch (SocketTimeoutException e) {
                children.forEach(ChildHandle::requireAliveUntilMet);
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new RunFailedException("A child did not connect within " + ARRIVAL + "." + printed(), e);
                }
            }
        }
    }

    private boolean isOurs(ChildMessage.Hello hello) {
        return hello.key().equals(key) && hello.child() >= 1 && hello.child() <= children.size();
    }

    private String printed() {
        Optional<String> last = children.stream()
                .map(child -> child.process().printed())
                .filter(text -> !text.isEmpty())
                .findFirst();
        return last.map(text -> " One printed: " + text).orElse("");
    }
}
