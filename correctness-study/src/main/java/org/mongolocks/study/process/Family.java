package org.mongolocks.study.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The children of one run, and the server socket to which they connect. Closing it ends all of them. */
final class Family implements AutoCloseable {
    private static final int ARRIVAL_MILLIS = 60_000;
    private static final Duration FAREWELL = Duration.ofSeconds(60);

    private final ServerSocket door;
    private final String key = Long.toHexString(new SecureRandom().nextLong());
    private final List<Ward> wards = new ArrayList<>();

    Family() {
        try {
            door = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
            door.setSoTimeout(ARRIVAL_MILLIS);
        } catch (IOException e) {
            throw new RunFailedException("No port is free for connections of the children", e);
        }
    }

    /** Starts one more child. */
    void raise(Map<String, String> environment, Function<ChildProcess, Ward> ward) {
        Map<String, String> all = new HashMap<>(environment);
        all.put(Child.KEY, key);
        wards.add(ward.apply(ChildProcess.start(wards.size() + 1, door.getLocalPort(), all)));
    }

    /** Waits until all have connected. */
    void awaitAll() {
        for (int i = 0; i < wards.size(); i++) {
            next();
        }
    }

    List<Ward> wards() {
        return List.copyOf(wards);
    }

    /** Returns a child by its number. */
    Ward ward(int number) {
        return wards.get(number - 1);
    }

    /** Stops all children, and waits until they have exited. */
    void stop(Observer observer) throws InterruptedException {
        wards.forEach(ward -> ward.send(new Order.Stop()));
        if (!observer.await(() -> wards.stream().allMatch(Ward::hasEnded), FAREWELL)) {
            String late = wards.stream()
                    .filter(ward -> !ward.hasEnded())
                    .map(ward -> Integer.toString(ward.process().number()))
                    .collect(Collectors.joining(", "));
            throw new RunFailedException("Children did not exit within " + FAREWELL + ": " + late);
        }
    }

    @Override
    public void close() {
        wards.forEach(Ward::close);
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void next() {
        try {
            Socket socket = door.accept();
            Post post = new Post(socket);
            Report first = Report.parse(post.receive().orElse(""));
            if (first instanceof Report.Hello hello && isOurs(hello)) {
                ward(hello.child()).meet(hello, post);
            } else {
                throw new RunFailedException("A process connected that is not a child of this run");
            }
        } catch (SocketTimeoutException e) {
            throw new RunFailedException("A child did not connect within " + ARRIVAL_MILLIS + " ms." + printed(), e);
        } catch (IOException | IllegalArgumentException e) {
            throw new RunFailedException("A connection of a child failed: " + e.getMessage(), e);
        }
    }

    private boolean isOurs(Report.Hello hello) {
        return hello.key().equals(key) && hello.child() >= 1 && hello.child() <= wards.size();
    }

    private String printed() {
        Optional<String> last = wards.stream()
                .map(ward -> ward.process().printed())
                .filter(text -> !text.isEmpty())
                .findFirst();
        return last.map(text -> " One printed: " + text).orElse("");
    }
}
