package org.mongolocks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Information for operators about the holder of a lock. It is stored in the lock document while the lock is held and
 * shown in a {@link LockSnapshot}. No decision depends on it, and it is not part of the {@link Owner}.
 *
 * @param host the host, cut to {@value #MAX_BYTES} bytes of UTF-8
 * @param processId the process
 * @param thread the thread that asked for the lock, cut likewise; on the reactive client the subscriber's
 * @param note the note of {@link LockRequest#note(String)}, cut likewise
 */
public record HolderInfo(
        Optional<String> host, OptionalLong processId, Optional<String> thread, Optional<String> note) {
    /** The longest text in any field: 256 bytes of UTF-8. */
    public static final int MAX_BYTES = 256;

    private static final int FIRST_BEYOND_ASCII = 0x80;

    /**
     * Cuts texts that are too long, between two characters. Half of a surrogate pair becomes the character {@code ?}.
     *
     * @param host the host
     * @param processId the process
     * @param thread the thread that asked for the lock
     * @param note the note for operators
     */
    public HolderInfo {
        host = host.map(HolderInfo::cut);
        thread = thread.map(HolderInfo::cut);
        note = note.map(HolderInfo::cut);
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
        return of(HostName.NAME.orElse(""));
    }

    /**
     * Returns the process and name of the calling thread, with a host name of the caller's choice.
     *
     * @param host the name for this host, for example the name of the service; empty for none
     * @return host, process and thread
     */
    public static HolderInfo of(String host) {
        return new HolderInfo(
                text(host),
                OptionalLong.of(ProcessHandle.current().pid()),
                text(Thread.currentThread().getName()),
                Optional.empty());
    }

    /**
     * Returns a copy with a note.
     *
     * @param text the note, empty for none
     * @return the same holder with that note
     */
    @CheckReturnValue
    public HolderInfo withNote(Optional<String> text) {
        return new HolderInfo(host, processId, thread, text);
    }

    private static Optional<String> text(String value) {
        return value.isEmpty() ? Optional.empty() : Optional.of(value);
    }

    private static String cut(String text) {
        return isShortAscii(text) ? text : cutBytes(text);
    }

    /** Almost all texts are short ASCII, which needs no copy. */
    private static boolean isShortAscii(String text) {
        int index = 0;
        while (index < text.length() && text.charAt(index) < FIRST_BEYOND_ASCII) {
            index++;
        }
        return index == text.length() && index <= MAX_BYTES;
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
}
