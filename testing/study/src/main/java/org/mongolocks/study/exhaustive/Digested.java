package org.mongolocks.study.exhaustive;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A value and a digest of its content: two with the same digest are taken to be the same. */
record Digested<T>(T value, UUID digest) {
    static <T> Digested<T> of(T value, String content) {
        return new Digested<>(value, digestOf(content));
    }

    static UUID digestOf(String content) {
        return UUID.nameUUIDFromBytes(content.getBytes(StandardCharsets.UTF_8));
    }

    /** Appends the digest of a value, or zeros if there is none. */
    static void append(ByteBuffer bytes, @Nullable Digested<?> digested) {
        append(bytes, digested == null ? new UUID(0, 0) : digested.digest());
    }

    static void append(ByteBuffer bytes, UUID digest) {
        bytes.putLong(digest.getMostSignificantBits()).putLong(digest.getLeastSignificantBits());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Digested<?> it && digest.equals(it.digest());
    }

    @Override
    public int hashCode() {
        return Objects.hash(digest);
    }

    /** Returns the digest: a record that contains this one has a text that is short, and different from those of others. */
    @Override
    public String toString() {
        return digest.toString();
    }
}
