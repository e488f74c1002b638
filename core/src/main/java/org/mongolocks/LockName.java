package org.mongolocks;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The name of a lock. Two owners exclude each other when they use equal names in one collection.
 *
 * <p>Names are compared byte for byte, without Unicode normalisation. A name that MongoDB would not store faithfully
 * (an unpaired surrogate, which drivers replace) is refused, so that two names never become one lock. Immutable.
 *
 * @param value the name: 1 to {@value #MAX_BYTES} bytes in UTF-8, without U+0000 and without unpaired surrogates
 */
public record LockName(String value) {
    /** The longest name, in bytes of its UTF-8 form. */
    public static final int MAX_BYTES = 512;

    /**
     * Checks the name.
     *
     * @param value the name
     * @throws IllegalArgumentException if the name is empty, longer than {@value #MAX_BYTES} bytes in UTF-8, or has a
     *     character that cannot be stored faithfully; the message says which
     */
    public LockName {
        Objects.requireNonNull(value, "The name of the lock is null");
        if (value.isEmpty()) {
            throw new IllegalArgumentException("lock name must have 1 to " + MAX_BYTES + " bytes in UTF-8, was empty");
        }
        int nul = value.indexOf('\0');
        if (nul >= 0) {
            throw new IllegalArgumentException("lock name must not have a NUL character, had one at index " + nul);
        }
        int bytes = utf8Length(value);
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "lock name must have 1 to " + MAX_BYTES + " bytes in UTF-8, had " + bytes + ": " + start(value));
        }
    }

    /**
     * Creates a lock name.
     *
     * @param value the name: 1 to {@value #MAX_BYTES} bytes in UTF-8, without U+0000 and without unpaired surrogates
     * @return the checked name
     * @throws IllegalArgumentException if the name breaks one of these rules; the message says which
     */
    public static LockName of(String value) {
        return new LockName(value);
    }

    // Written out, as in Owner: the first call of a generated one loads 50 classes.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockName name && value.equals(name.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    /** Returns the name itself. */
    @Override
    public String toString() {
        return value;
    }

    private static int utf8Length(String value) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
            return bytes.remaining();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "lock name must not have an unpaired surrogate, had one at index " + unpairedSurrogate(value), e);
        }
    }

    private static int unpairedSurrogate(String value) {
        int index = 0;
        while (index < value.length()) {
            int codePoint = value.codePointAt(index);
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                return index;
            }
            index += Character.charCount(codePoint);
        }
        return -1;
    }

    private static String start(String value) {
        return value.substring(0, 40) + "...";
    }
}
