import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;

/**
 * Checks that two builds exclude each other, as in a rolling upgrade: clients of both, each with its own driver, use the
 * same locks at the same time. The server is that of {@code MONGODB_URI}, or an embedded one of the newer build.
 *
 * <pre>{@code java .ci/RollingUpgrade.java OLD.jar NEW.jar}</pre>
 *
 * Each jar has a client, all strategies and the driver. What both builds have in common is the interface {@link Lock}, and
 * a handful of methods that are called by their names.
 */
public final class RollingUpgrade {
    private static final Duration TTL = Duration.ofSeconds(2);
    private static final int CLIENTS = 2;
    private static final int ROUNDS = 25;
    private static final List<String> STRATEGIES = List.of(
            "insert-unique",
            "findandmodify-counter",
            "flag-update",
            "optimistic-version",
            "optimistic-version-clock-free",
            "transactional");

    private final String uri;
    private final List<Build> builds;

    private RollingUpgrade(String uri, List<Build> builds) {
        this.uri = uri;
        this.builds = builds;
    }

    public static void main(String[] args) throws Exception {
        Build older = Build.of("old", Path.of(args[0]));
        Build newer = Build.of("new", Path.of(args[1]));
        String uri = System.getenv("MONGODB_URI");
        AutoCloseable server = uri == null ? newer.startServer() : () -> {};
        try (server) {
            RollingUpgrade check = new RollingUpgrade(uri == null ? newer.connectionString(server) : uri, List.of(older, newer));
            for (String strategy : STRATEGIES) {
                check.run(strategy);
            }
        }
    }

    private void run(String strategy) throws Exception {
        List<Client> clients = new ArrayList<>();
        try {
            for (int number = 0; number < CLIENTS; number++) {
                for (Build build : builds) {
                    clients.add(build.client(uri, strategy, "rolling-" + System.nanoTime() + "-" + number));
                }
            }
            Map<String, Integer> grants = shareALock(clients);
            for (Build build : builds) {
                Build other = builds.get(1 - builds.indexOf(build));
                takeOver(clientOf(clients, build), clientOf(clients, other));
            }
            System.out.println("passes  " + strategy + ": grants " + grants + ", each build takes over what the other leaves");
        } finally {
            for (Client client : clients) {
                client.close();
            }
        }
    }

    private static Client clientOf(List<Client> clients, Build build) {
        return clients.stream().filter(client -> client.build == build).findFirst().orElseThrow();
    }

    /** No two hold the lock at once, and each grant has a larger token than all before. */
    private static Map<String, Integer> shareALock(List<Client> clients) throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<Long> tokens = new ArrayList<>();
        Map<String, Integer> grants = new TreeMap<>();
        ExecutorService threads = Executors.newFixedThreadPool(clients.size());
        try {
            List<Future<?>> tasks = new ArrayList<>();
            for (Client client : clients) {
                Callable<Void> task = () -> {
                    Lock lock = client.lock("shared");
                    for (int round = 0; round < ROUNDS; round++) {
                        lock.lock();
                        try {
                            require(inside.incrementAndGet() == 1, "two hold the lock at once");
                            tokens.add(client.fencingToken(lock));
                            grants.merge(client.build.name, 1, Integer::sum);
                            inside.decrementAndGet();
                        } finally {
                            lock.unlock();
                        }
                    }
                    return null;
                };
                tasks.add(threads.submit(task));
            }
            for (Future<?> task : tasks) {
                task.get(5, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
        for (int i = 1; i < tokens.size(); i++) {
            require(tokens.get(i) > tokens.get(i - 1), "token " + tokens.get(i) + " was granted after " + tokens.get(i - 1));
        }
        return grants;
    }

    /** A lock whose holder is gone without a release ends with its lease, also for the other build; not before. */
    private static void takeOver(Client holder, Client waiter) throws Exception {
        String name = "left-by-" + holder.build.name;
        CountDownLatch held = new CountDownLatch(1);
        long[] token = new long[1];
        Thread leaving = new Thread(() -> {
            Lock lock = holder.lock(name);
            lock.lock();
            token[0] = holder.fencingToken(lock);
            held.countDown();
        });
        leaving.start();
        held.await();
        Lock lock = waiter.lock(name);
        require(!lock.tryLock(), "a lock that is held was granted");
        require(lock.tryLock(10 * TTL.toMillis(), TimeUnit.MILLISECONDS), "a lock that was left is never granted");
        require(waiter.fencingToken(lock) > token[0], "the token of the next holder is not larger");
        lock.unlock();
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    /** One build, whose classes are not those of the other one. */
    private record Build(String name, ClassLoader classes) {
        static Build of(String name, Path jar) throws Exception {
            URL[] urls = {jar.toUri().toURL()};
            return new Build(name, new URLClassLoader(urls, ClassLoader.getPlatformClassLoader()));
        }

        AutoCloseable startServer() throws Exception {
            return (AutoCloseable) call(type("org.mongolocks.embedded.EmbeddedMongo"), null, "start");
        }

        String connectionString(AutoCloseable server) throws Exception {
            return (String) call(server.getClass(), server, "connectionString");
        }

        Client client(String uri, String strategy, String instance) throws Exception {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(classes); // where the client looks for its strategies
            try {
                Object mongo = call(type("com.mongodb.client.MongoClients"), null, "create", uri);
                Object builder = call(type("org.mongolocks.sync.LockClient"), null, "builder", mongo, "mongo_locks_rolling");
                Object named = call(builder.getClass(), call(builder.getClass(), builder, "strategy", strategy), "instance", instance);
                return new Client(this, (AutoCloseable) mongo, (AutoCloseable) call(builder.getClass(), named, "build"));
            } finally {
                thread.setContextClassLoader(before);
            }
        }

        Class<?> type(String type) throws ClassNotFoundException {
            return classes.loadClass(type);
        }
    }

    /** A client of one build. */
    private record Client(Build build, AutoCloseable mongo, AutoCloseable locks) {
        Lock lock(String name) {
            try {
                Object request = call(build.type("org.mongolocks.LockRequest"), null, "of", name, TTL);
                return (Lock) call(locks.getClass(), locks, "asLock", request);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        long fencingToken(Lock lock) {
            try {
                return (long) call(lock.getClass(), lock, "fencingToken");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        void close() throws Exception {
            call(locks.getClass(), locks, "close", Duration.ZERO);
            mongo.close();
        }
    }

    private static Object call(Class<?> type, Object target, String name, Object... arguments) throws Exception {
        for (Method method : type.getMethods()) {
            if (method.getName().equals(name) && accepts(method, arguments)) {
                return method.invoke(target, arguments);
            }
        }
        throw new NoSuchMethodException(type.getName() + "." + name + " with " + List.of(arguments));
    }

    private static boolean accepts(Method method, Object[] arguments) {
        Class<?>[] types = method.getParameterTypes();
        if (types.length != arguments.length || method.isBridge()) {
            return false;
        }
        for (int i = 0; i < types.length; i++) {
            if (!types[i].isInstance(arguments[i])) {
                return false;
            }
        }
        return true;
    }
}
