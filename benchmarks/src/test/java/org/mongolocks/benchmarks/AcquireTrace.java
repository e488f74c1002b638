package org.mongolocks.benchmarks;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import jdk.jfr.Event;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;
import org.mongolocks.LockRequest;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/**
 * Counts the calls of one warm, uncontended acquire of the synchronous client, of its release and of withLock, by the
 * method trace of the Java Flight Recorder (JDK 25 or newer). CONTRIBUTING.md has the command.
 *
 * <p>The first argument names a strategy; a second one, whatever it is, prints each method with the number of its calls.
 */
public final class AcquireTrace {
    private static final String OURS = "org/mongolocks/";
    private static final List<String> NOT_COUNTED = List.of("benchmarks", "embedded", "contract", "study", "testkit");
    private static final LockRequest REQUEST =
            LockRequest.of("invoices", Duration.ofSeconds(30)).fixedLease();
    private static final int WARM = 2_000;

    /** Marks in the recording where a part ends. */
    static final class Part extends Event {
        String name;

        static void ends(String name) {
            Part part = new Part();
            part.name = name;
            part.commit();
        }
    }

    public static void main(String[] arguments) throws Exception {
        String strategy = arguments.length > 0 ? arguments[0] : "findandmodify-counter";
        try (EmbeddedMongo server = EmbeddedMongo.start();
                MongoClient mongo = MongoClients.create(server.connectionString());
                LockClient client =
                        LockClient.builder(mongo, "trace").strategy(strategy).build()) {
            for (int i = 0; i < WARM; i++) {
                client.withLock(REQUEST, held -> {});
            }
            report(record(client), arguments.length > 1);
        }
    }

    private static Path record(LockClient client) throws IOException, InterruptedException {
        Path file = Files.createTempFile("acquire", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.MethodTrace").with("filter", String.join(";", classes()));
            recording.start();
            Part.ends("start");
            HeldLock lock = client.acquire(REQUEST);
            Part.ends("acquire");
            lock.release();
            Part.ends("release");
            client.withLock(REQUEST, held -> {});
            Part.ends("withLock");
            recording.stop();
            recording.dump(file);
        }
        return file;
    }

    /** Returns the names of the library's classes, from the directories of the class path. */
    private static List<String> classes() throws IOException {
        List<String> classes = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path root = Path.of(entry);
            if (Files.isDirectory(root)) {
                try (Stream<Path> files = Files.walk(root)) {
                    files.map(file -> root.relativize(file).toString())
                            .filter(name -> name.startsWith(OURS) && name.endsWith(".class"))
                            .filter(name -> NOT_COUNTED.stream().noneMatch(part -> name.startsWith(OURS + part)))
                            .map(name -> name.replace(".class", "").replace('/', '.'))
                            .forEach(classes::add);
                }
            }
        }
        return classes;
    }

    /** An event is written when its method returns, and has the time of its call. */
    private static void report(Path recording, boolean isLong) throws IOException {
        String thread = Thread.currentThread().getName();
        List<RecordedEvent> events = new ArrayList<>(RecordingFile.readAllEvents(recording));
        events.removeIf(event ->
                event.getThread() == null || !event.getThread().getJavaName().equals(thread));
        events.sort((a, b) -> a.getStartTime().compareTo(b.getStartTime()));
        List<RecordedMethod> calls = new ArrayList<>();
        for (RecordedEvent event : events) {
            if (event.getEventType().getName().equals("jdk.MethodTrace")) {
                calls.add(event.getValue("method"));
            } else if (event.getEventType().getName().endsWith("Part")) {
                if (!event.getString("name").equals("start")) {
                    print(event.getString("name"), calls, isLong);
                }
                calls.clear();
            }
        }
        Files.delete(recording);
    }

    private static void print(String part, List<RecordedMethod> calls, boolean isLong) {
        Map<String, Long> methods =
                calls.stream().collect(Collectors.groupingBy(AcquireTrace::name, TreeMap::new, Collectors.counting()));
        Map<String, Long> files =
                calls.stream().collect(Collectors.groupingBy(AcquireTrace::file, TreeMap::new, Collectors.counting()));
        long changes = IntStream.range(1, calls.size())
                .filter(i -> !file(calls.get(i)).equals(file(calls.get(i - 1))))
                .count();
        System.out.println(part + ": " + calls.size() + " calls of " + methods.size() + " methods in " + files.size()
                + " files, with " + changes + " changes of file");
        System.out.println("  " + files);
        if (isLong) {
            methods.forEach((method, count) -> System.out.println("  " + count + "  " + method));
        }
    }

    private static String name(RecordedMethod method) {
        return method.getType().getName() + "." + method.getName()
                + method.getDescriptor().replaceAll("\\).*", ")");
    }

    private static String file(RecordedMethod method) {
        return method.getType().getName().replaceFirst(".*\\.", "").replaceFirst("\\$.*", "");
    }
}
