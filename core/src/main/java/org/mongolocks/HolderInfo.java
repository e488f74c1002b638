package org.mongolocks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Information for operators about the holder of a lock. It is stored in the lock document while the lock is held and
 * shown in a {@link LockSnapshot}. No decision depends on it, and it is not part of the {@link Owner}. Texts that are too
 * long are cut between two characters. Immutable.
 */
public final class HolderInfo {
    /** The longest text in any field: 256 bytes of UTF-8. */
    public static final int MAX_BYTES = 256;

    private static final String HOST = "host";
    private static final String PROCESS = "pid";
    private static final String THREAD = "thread";
    private static final String NOTE = "note";

    private static final int FIRST_BEYOND_ASCII = 0x80;

    private final Optional<String> host;
    private final OptionalLong processId;
    private final Optional<String> thread;
    private final Optional<String> note;

    /** Half of a surrogate pair becomes the character {@code ?}. */
    private HolderInfo(Optional<String> host, OptionalLong processId, Optional<String> thread, Optional<String> note) {
        this.host = host.map(HolderInfo::cut);
        this.processId = processId;
        this.thread = thread.map(HolderInfo::cut);
        this.note = note.map(HolderInfo::cut);
    }

    /**
     * Returns an empty value.
     *
     * @return neither host, process, thread nor note
     */
    public static HolderInfo none() {
        return new HolderInfo(Optional.empty(), OptionalLong.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * Returns the host, process and name of the calling thread. The host name is read from the environment or the
     * system's own files, never from a name service. Where only a name service has it, as on macOS, it is left out.
     *
     * @return host, process and thread
     */
    public static HolderInfo ofThisThread() {
        return new HolderInfo(
                HostName.NAME,
                OptionalLong.of(ProcessHandle.current().pid()),
                text(Thread.currentThread().getName()),
                Optional.empty());
    }

    /**
     * Returns the process and name of the calling thread, with a host name of the caller's choice.
     *
     * @param host the name for this host, for example the name of the service; empty for none
     * @return host, process and thread
     */
    public static HolderInfo of(String host) {
        HolderInfo here = ofThisThread();
        return new HolderInfo(text(host), here.processId, here.thread, here.note);
    }

    /** {@return the host} */
    public Optional<String> host() {
        return host;
    }

    /** {@return the process} */
    public OptionalLong processId() {
        return processId;
    }

    /** {@return the thread that asked for the lock; on the reactive client the subscriber's} */
    public Optional<String> thread() {
        return thread;
    }

    /** {@return the note of {@link LockRequest#note(String)}} */
    public Optional<String> note() {
        return note;
    }

    /**
     * Returns a copy with a note.
     *
     * @param text the note, empty for none
     * @return the same holder with that note
     */
    @CheckReturnValue
    public HolderInfo withNote(Optional<String> text) {
        return text.equals(note) ? this : new HolderInfo(host, processId, thread, text);
    }

    /**
     * Returns the stored form: {@code {host, pid, thread, note}}, each only if present. It is a value of the caller's:
     * in a pipeline it belongs in {@code $literal}. If nothing is present it is empty and stored nevertheless, so that
     * it replaces that of the previous holder.
     *
     * @return a new document
     */
    public BsonDocument stored() {
        BsonDocument stored = new BsonDocument();
        host.ifPresent(value -> stored.append(HOST, new BsonString(value)));
        processId.ifPresent(value -> stored.append(PROCESS, new BsonInt64(value)));
        thread.ifPresent(value -> stored.append(THREAD, new BsonString(value)));
        note.ifPresent(value -> stored.append(NOTE, new BsonString(value)));
        return stored;
    }

    /**
     * Reads the stored form; a field that is missing or of another type is treated as absent.
     *
     * @param stored a value that {@link #stored()} has returned, or any other value of a lock document; null for none
     * @return the information, {@link #none()} if there is none
     */
    public static HolderInfo ofStored(@Nullable BsonValue stored) {
        return stored instanceof BsonDocument fields
                ? new HolderInfo(text(fields, HOST), process(fields), text(fields, THREAD), text(fields, NOTE))
                : none();
    }

    /** Returns whether the stored forms are equal. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HolderInfo info && stored().equals(info.stored());
    }

    /** Returns a hash code of the stored form. */
    @Override
    public int hashCode() {
        return stored().hashCode();
    }

    /** Returns the stored form as JSON. */
    @Override
    public String toString() {
        return stored().toJson();
    }

    private static Optional<String> text(BsonDocument stored, String field) {
        return stored.get(field) instanceof BsonString text ? Optional.of(text.getValue()) : Optional.empty();
    }

    private static OptionalLong process(BsonDocument stored) {
        return stored.get(PROCESS) instanceof BsonNumber number
                ? OptionalLong.of(number.longValue())
                : OptionalLong.empty();
    }

    private static Optional<String> text(String value) {
        return value.isEmpty() ? Optional.empty() : Optional.of(value);
    }

    /** Almost all texts are short ASCII, which needs no copy. */
    private static String cut(String text) {
        int index = 0;
        while (index < text.length() && text.charAt(index) < FIRST_BEYOND_ASCII) {
            index++;
        }
        return index == text.length() && index <= MAX_BYTES ? text : cutBytes(text);
    }

    private static String cutBytes(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        int end = Math.min(bytes.length, MAX_BYTES);
        while (end < bytes.length && isInsideACharacter(bytes[end])) {
            end--;
        }
        return new String(bytes, 0, end, UTF_8);
    }

    private static boolean isInsideACharacter(byte next) {
        return (next & 0b1100_0000) == 0b1000_0000;
    }

    /** The name of this host, read once, without a name service. */
    static final class HostName {
        static final Optional<String> NAME = find();

        private HostName() {}

        private static Optional<String> find() {
            Stream<Optional<String>> places = Stream.of(
                    Optional.ofNullable(System.getenv("HOSTNAME")),
                    Optional.ofNullable(System.getenv("COMPUTERNAME")),
                    read(Path.of("/proc/sys/kernel/hostname")),
                    read(Path.of("/etc/hostname")));
            return places.flatMap(Optional::stream)
                    .map(String::strip)
                    .filter(name -> !name.isEmpty())
                    .findFirst();
        }

        /** A host without such a file has no name. */
        static Optional<String> read(Path file) {
            try {
                return Files.isReadable(file) ? Optional.of(Files.readString(file)) : Optional.empty();
            } catch (IOException e) {
                return Optional.empty();
            }
        }
    }
}
