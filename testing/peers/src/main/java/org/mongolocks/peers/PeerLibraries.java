package org.mongolocks.peers;

import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** All libraries: those of this module, and those that are registered on the class path. */
public final class PeerLibraries {
    private PeerLibraries() {}

    /**
     * Returns all libraries.
     *
     * @return those of this module first
     * @throws IllegalArgumentException if a registered one cannot be loaded
     */
    public static List<PeerLibrary> all() {
        Stream<PeerLibrary> own = Stream.of(
                new ShedLock(false),
                new ShedLock(true),
                new Mongock(),
                new Redisson(false),
                new Redisson(true),
                new SpringRedis(),
                new SpringJdbc(),
                new MongoLocks());
        try {
            List<PeerLibrary> registered = ServiceLoader.load(PeerLibrary.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();
            return Stream.concat(own, registered.stream()).toList();
        } catch (ServiceConfigurationError e) {
            throw new IllegalArgumentException("A library could not be loaded: " + e.getMessage(), e);
        }
    }
}
