package org.mongolocks.peers;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.mongolocks.peers.PeerLibrary.Server;

/** All libraries: those of this module, and those that are registered on the class path. */
public final class PeerLibraries {
    private static final Pattern NAME = Pattern.compile("[a-z0-9-]+");

    private PeerLibraries() {}

    /**
     * Returns all libraries.
     *
     * @return those of this module first
     * @throws IllegalArgumentException if a registered one cannot be loaded, or has the name of another one
     */
    public static List<PeerLibrary> all() {
        Stream<PeerLibrary> own = Stream.of(
                of("shedlock", "ShedLock 7.9.0", Server.MONGODB, place -> ShedLock.open(place, false)),
                new Known(
                        "shedlock-keep-alive",
                        "ShedLock 7.9.0, KeepAliveLockProvider",
                        Server.MONGODB,
                        ShedLock.SHORTEST_KEPT_ALIVE,
                        false,
                        place -> ShedLock.open(place, true)),
                of("mongock", "mongock 5.5.1", Server.MONGODB, Mongock::open),
                of("redisson-lock", "Redisson 4.7.0, RLock", Server.REDIS, place -> Redisson.open(place, false)),
                new Known(
                        "redisson-fenced-lock",
                        "Redisson 4.7.0, RFencedLock",
                        Server.REDIS,
                        PeerLibrary.TTL,
                        true,
                        place -> Redisson.open(place, true)),
                of("spring-redis", "Spring Integration 7.0.7, RedisLockRegistry", Server.REDIS, SpringRedis::open),
                of("spring-jdbc", "Spring Integration 7.0.7, JdbcLockRegistry", Server.POSTGRESQL, SpringJdbc::open),
                new Known(
                        "findandmodify-counter",
                        "mongo-locks, findandmodify-counter",
                        Server.MONGODB,
                        PeerLibrary.TTL,
                        true,
                        MongoLocks::open));
        try {
            List<PeerLibrary> registered = ServiceLoader.load(PeerLibrary.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();
            List<PeerLibrary> all = Stream.concat(own, registered.stream()).toList();
            requireNames(all);
            return all;
        } catch (ServiceConfigurationError e) {
            throw new IllegalArgumentException("A library could not be loaded: " + e.getMessage(), e);
        }
    }

    private static void requireNames(List<PeerLibrary> all) {
        Set<String> names = new HashSet<>();
        for (PeerLibrary library : all) {
            String name = library.name();
            if (!NAME.matcher(name).matches() || !names.add(name)) {
                throw new IllegalArgumentException(
                        "The name of a library is of lower-case letters, digits and hyphens, and its own, was '" + name
                                + "'");
            }
        }
    }

    private static PeerLibrary of(String name, String title, Server server, Opening opening) {
        return new Known(name, title, server, PeerLibrary.TTL, false, opening);
    }

    /** Opens a client. */
    private interface Opening {
        PeerLocks open(PeerPlace place) throws Exception;
    }

    /** A library of this module. */
    private record Known(String name, String title, Server server, Duration ttl, boolean hasTokens, Opening opening)
            implements PeerLibrary {
        @Override
        public PeerLocks open(PeerPlace place) throws Exception {
            return opening.open(place);
        }
    }
}
