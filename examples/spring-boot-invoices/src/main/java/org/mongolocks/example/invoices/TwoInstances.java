package org.mongolocks.example.invoices;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mongolocks.embedded.EmbeddedMongo;

/**
 * Two instances of the application side by side, each a process, on an embedded server, or on the one that
 * {@code MONGODB_URI} names.
 */
public final class TwoInstances implements AutoCloseable {
    private static final List<String> NAMES = List.of("north", "south");
    private static final List<Integer> PORTS = List.of(8081, 8082);
    /** The database of application.properties. */
    private static final String DATABASE = "mongo_locks_example";
    /** Small heap and fast start. */
    private static final List<String> OPTIONS =
            List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

    private final Optional<EmbeddedMongo> server;
    private final List<Instance> instances = new ArrayList<>();

    private TwoInstances(Optional<EmbeddedMongo> server) {
        this.server = server;
    }

    /**
     * A process of the application.
     *
     * @param name its name
     * @param url the address of its page
     * @param process the process
     */
    record Instance(String name, String url, Process process) {}

    /**
     * Runs the instances until both have ended.
     *
     * @param args two ports, or none
     * @throws Exception if a process cannot be started
     */
    public static void main(String[] args) throws Exception {
        List<Integer> ports =
                args.length == NAMES.size() ? List.of(Integer.valueOf(args[0]), Integer.valueOf(args[1])) : PORTS;
        try (TwoInstances example = start(ports, Optional.ofNullable(System.getenv("MONGODB_URI")))) {
            Runtime.getRuntime().addShutdownHook(new Thread(example::stopProcesses));
            for (Instance instance : example.instances()) {
                System.out.println(instance.name() + ": " + instance.url() + " (process "
                        + instance.process().pid() + ")");
            }
            System.out.println("Ready in a few seconds. End one process, and see the other take over its invoice.");
            for (Instance instance : example.instances()) {
                instance.process().waitFor();
            }
        }
    }

    /** Starts the server, if none is given, and a process for each port. Drops the invoices of an earlier run. */
    static TwoInstances start(List<Integer> ports, Optional<String> uri, String... properties) throws IOException {
        Optional<EmbeddedMongo> server = uri.isPresent() ? Optional.empty() : Optional.of(EmbeddedMongo.start());
        String target =
                uri.or(() -> server.map(EmbeddedMongo::connectionString)).orElseThrow();
        try (MongoClient mongo = MongoClients.create(target)) {
            mongo.getDatabase(DATABASE).drop();
        }
        TwoInstances started = new TwoInstances(server);
        for (int index = 0; index < NAMES.size(); index++) {
            List<String> arguments = new ArrayList<>(List.of(properties));
            arguments.add("--invoices.instance=" + NAMES.get(index));
            arguments.add("--spring.mongodb.uri=" + target);
            started.instances.add(instance(NAMES.get(index), ports.get(index), arguments));
        }
        return started;
    }

    private static Instance instance(String name, int port, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(OPTIONS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), InvoicesApplication.class.getName()));
        command.add("--server.port=" + port);
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).inheritIO().start();
        return new Instance(name, "http://127.0.0.1:" + port + "/", process);
    }

    List<Instance> instances() {
        return List.copyOf(instances);
    }

    private void stopProcesses() {
        instances.forEach(instance -> instance.process().destroy());
    }

    /** Stops the processes, waits for them, and closes the server. */
    @Override
    public void close() {
        stopProcesses();
        instances.forEach(instance -> instance.process().onExit().join());
        server.ifPresent(EmbeddedMongo::close);
    }
}
