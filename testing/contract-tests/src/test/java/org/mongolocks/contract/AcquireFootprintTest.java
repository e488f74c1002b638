package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockRequest;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/**
 * The source files whose code runs in an uncontended acquire, and in its release, measured by JaCoCo's agent. Skipped
 * without the agent; CONTRIBUTING.md has the command and the list.
 */
class AcquireFootprintTest {
    private static final int MAX_FILES = 42;
    private static final List<String> NOT_COUNTED = List.of("org/mongolocks/contract/", "org/mongolocks/embedded/");
    private static final LockRequest REQUEST = LockRequest.of("invoices", Duration.ofSeconds(30));

    @BeforeAll
    static void requireAgent() {
        assumeThat(agent()).as("the JVM has JaCoCo's agent").isPresent();
    }

    @Test
    void uncontendedAcquireRunsCodeOfFewFiles() throws Exception {
        try (EmbeddedMongo server = EmbeddedMongo.start();
                MongoClient mongo = MongoClients.create(server.connectionString());
                LockClient client = LockClient.builder(mongo, "test")
                        .strategy("findandmodify-counter")
                        .build()) {
            client.acquire(REQUEST).orElseThrow().release();

            filesRun();
            HeldLock lock = client.acquire(REQUEST).orElseThrow();
            NavigableSet<String> inAcquire = filesRun();
            lock.release();
            NavigableSet<String> inRelease = filesRun();

            inRelease.removeAll(inAcquire);
            System.out.println("Acquire (" + inAcquire.size() + "): " + String.join(", ", inAcquire));
            System.out.println("Release, besides (" + inRelease.size() + "): " + String.join(", ", inRelease));
            assertThat(inAcquire).hasSizeLessThanOrEqualTo(MAX_FILES);
        }
    }

    private static Optional<Class<?>> agent() {
        try {
            return Optional.of(Class.forName("org.jacoco.agent.rt.RT"));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    /** Returns the files of which code has run since the last call. */
    private static NavigableSet<String> filesRun() throws ReflectiveOperationException, IOException {
        Object agent = agent().orElseThrow().getMethod("getAgent").invoke(null);
        Class<?> type = Class.forName("org.jacoco.agent.rt.IAgent");
        byte[] data = (byte[]) type.getMethod("getExecutionData", boolean.class).invoke(agent, true);
        return files(new DataInputStream(new ByteArrayInputStream(data)));
    }

    /** Reads JaCoCo's binary format: blocks with a header, with a session, or with the probes of one class. */
    private static NavigableSet<String> files(DataInputStream data) throws IOException {
        NavigableSet<String> files = new TreeSet<>();
        for (int block = data.read(); block >= 0; block = data.read()) {
            switch (block) {
                case 0x01 -> data.skipNBytes(2 * Character.BYTES);
                case 0x10 -> {
                    data.readUTF();
                    data.skipNBytes(2 * Long.BYTES);
                }
                case 0x11 -> readClass(data).ifPresent(files::add);
                default -> throw new IOException("Unknown block " + block);
            }
        }
        return files;
    }

    /** Returns the file of a class, a nested class being in that of its outermost one; empty if none of its code ran. */
    private static Optional<String> readClass(DataInputStream data) throws IOException {
        data.skipNBytes(Long.BYTES);
        String name = data.readUTF();
        boolean hasRun = false;
        for (int bytes = (readCount(data) + Byte.SIZE - 1) / Byte.SIZE; bytes > 0; bytes--) {
            hasRun |= data.readByte() != 0;
        }
        return hasRun && NOT_COUNTED.stream().noneMatch(name::startsWith)
                ? Optional.of(name.substring(name.lastIndexOf('/') + 1).replaceFirst("\\$.*", ""))
                : Optional.empty();
    }

    private static int readCount(DataInputStream data) throws IOException {
        int low = data.readUnsignedByte();
        return low < 0x80 ? low : (low & 0x7F) | (readCount(data) << 7);
    }
}
