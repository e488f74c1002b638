package org.mongolocks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The name of this host, read once, without a name service. */
final class HostName {
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
