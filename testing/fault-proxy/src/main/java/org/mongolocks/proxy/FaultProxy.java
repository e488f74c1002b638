package org.mongolocks.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * A proxy between a driver and a MongoDB, which injects faults into selected commands. It requires nothing of the
 * server, so it works in front of any, but it cannot read TLS. A driver connects to it with
 * {@code directConnection=true}. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {
    /** The name of threads that hold a delayed reply: not all threads sleep because the rest of them waits for one. */
    public static final String DELAYED_REPLY = "delayed-reply";

    private static final int CONNECT_MILLIS = 10_000;
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final String name = "fault-proxy-" + NUMBERS.incrementAndGet();
    private volatile SocketAddress server;
    private final ServerSocket listener;
    private final List<FaultRule> traps = new CopyOnWriteArrayList<>();
    private final TopologyVersions versions = new TopologyVersions();
    private final Set<ProxyConnection> links = ConcurrentHashMap.newKeySet();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final Predicate<String> slowCommands;
    private final Duration delay;
    private boolean frozen;
    private volatile boolean refusing;
    private volatile boolean closed;

    private FaultProxy(SocketAddress server, Predicate<String> slowCommands, Duration delay) throws IOException {
        this.server = server;
        this.slowCommands = slowCommands;
        this.delay = delay;
        this.listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    }

    /** Opens a proxy on a free port, in front of a server. */
    public static FaultProxy before(InetSocketAddress server) {
        return slow(server, command -> false, Duration.ZERO);
    }

    /**
     * Opens a proxy that makes a server slow, from the beginning to the end: the replies to some commands are delivered later.
     *
     * @param commands the names of these commands; those that open a connection or monitor a server are never delayed
     * @param delay how much later
     */
    public static FaultProxy slow(InetSocketAddress server, Predicate<String> commands, Duration delay) {
        try {
            FaultProxy proxy = new FaultProxy(server, commands, delay);
            proxy.run("accept", proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException("No port is free for a proxy", e);
        }
    }

    /** Returns the address for drivers. */
    public InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    /** Returns the prefix of the names of its threads. */
    public String name() {
        return name;
    }

    /** Adds a trap. If several match a command, the earliest that is not used up gets it. */
    public FaultRule arm(CommandMatcher aim, WireFault fault) {
        FaultRule trap = new FaultRule(aim, fault);
        traps.add(trap);
        return trap;
    }

    /** Closes all connections, and refuses new ones. */
    public void refuse() {
        refusing = true;
        links.forEach(ProxyConnection::close);
    }

    /** Closes all connections, once; new ones are accepted. */
    public void cut() {
        links.forEach(ProxyConnection::close);
    }

    /** Forwards to another server from now on, for example to the new primary, and closes the connections to the former one. */
    public void redirect(InetSocketAddress other) {
        if (!other.equals(server)) {
            server = other;
            cut();
        }
    }

    /** Stops all traffic in both directions. */
    public synchronized void freeze() {
        frozen = true;
    }

    /** Ends all faults. Messages that were held are forwarded. */
    public void heal() {
        List<FaultRule> set = List.copyOf(traps);
        traps.clear();
        set.forEach(FaultRule::release);
        refusing = false;
        thaw();
    }

    /**
     * Returns the number of drivers' connections, including closed ones with requests that are still to be executed.
     */
    public int connections() {
        return links.size();
    }

    /** Closes all connections, and ends all threads. */
    @Override
    public void close() {
        closed = true;
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException("A proxy could not be closed", e);
        }
        thaw();
        links.forEach(ProxyConnection::close);
        joinAll();
    }

    TopologyVersions versions() {
        return versions;
    }

    boolean isSlow(String command) {
        return slowCommands.test(command);
    }

    /** Delivers a reply after the delay. */
    void later(InterceptedCommand.Sequel delivery) {
        start(DELAYED_REPLY, () -> {
            try {
                TimeUnit.NANOSECONDS.sleep(delay.toNanos());
                delivery.run();
            } catch (IOException e) {
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    Optional<FaultRule> trapFor(String command) {
        return traps.stream().filter(trap -> trap.catches(command)).findFirst();
    }

    void closed(ProxyConnection link) {
        links.remove(link);
    }

    synchronized void awaitThaw() {
        boolean interrupted = false;
        while (frozen) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void thaw() {
        frozen = false;
        notifyAll();
    }

    private void accept() {
        while (!closed) {
            next().ifPresent(client -> run("connection", () -> link(client)));
        }
    }

    /** Empty if the proxy was closed, or the driver disconnected before it was accepted. */
    private Optional<Socket> next() {
        try {
            return Optional.of(listener.accept());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private void link(Socket client) {
        try {
            if (refusing) {
                client.setSoLinger(true, 0);
                client.close();
            } else {
                carry(new ProxyConnection(client, connect(client), this));
            }
        } catch (IOException e) {
            return;
        }
    }

    private void carry(ProxyConnection link) {
        links.add(link);
        if (closed || refusing) {
            link.close();
        }
        run("replies", link::carryReplies);
        link.carryRequests();
    }

    private Socket connect(Socket client) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(server, CONNECT_MILLIS);
            socket.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            return socket;
        } catch (IOException e) {
            socket.close();
            client.close();
            throw e;
        }
    }

    private void run(String what, Runnable task) {
        start(name + "-" + what, task);
    }

    private void start(String threadName, Runnable task) {
        Thread thread = new Thread(task, threadName);
        thread.setDaemon(true);
        thread.start();
        threads.removeIf(other -> other.getState() == Thread.State.TERMINATED);
        threads.add(thread);
    }

    /** A thread that starts another one adds it before it ends itself, so that none is missed. */
    private void joinAll() {
        while (!threads.isEmpty()) {
            for (Thread thread : List.copyOf(threads)) {
                try {
                    TimeUnit.SECONDS.timedJoin(thread, 5);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
                threads.remove(thread);
            }
        }
    }
}
