package org.mongolocks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.peers.PeerLibrary.Server;
import org.mongolocks.peers.PeerLocks.PeerLock;

/** The libraries on MongoDB, on the embedded server. */
class MongoPeersTest {
    private static final EmbeddedMongo MONGO = EmbeddedMongo.start();

    @AfterAll
    static void stop() {
        MONGO.close();
    }

    static Stream<PeerLibrary> libraries() {
        return PeerLibraries.all().stream().filter(library -> library.server() == Server.MONGODB);
    }

    private static PeerLocks open(PeerLibrary library) throws Exception {
        return library.open(new PeerPlace(MONGO.connectionString(), "peers", library.name(), library.ttl()));
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void anotherClientGetsTheLockAfterItsReleaseOnly(PeerLibrary library) throws Exception {
        try (PeerLocks one = open(library);
                PeerLocks two = open(library)) {
            PeerLock held = one.acquire("a", Duration.ZERO).orElseThrow();

            assertThat(held.isHeld()).isTrue();
            assertThat(held.token() > 0).isEqualTo(library.hasTokens());
            assertThat(two.acquire("a", Duration.ZERO)).isEmpty();

            assertThat(held.release()).isTrue();
            assertThat(two.acquire("a", Duration.ofSeconds(5)))
                    .hasValueSatisfying(next -> assertThat(next).returns(true, MongoPeersTest::released));
        }
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void locksOfOtherNamesAreIndependent(PeerLibrary library) throws Exception {
        try (PeerLocks one = open(library)) {
            PeerLock first = one.acquire("x", Duration.ZERO).orElseThrow();
            PeerLock second = one.acquire("y", Duration.ZERO).orElseThrow();

            assertThat(first.release()).isTrue();
            assertThat(second.isHeld()).isTrue();
            assertThat(second.release()).isTrue();
        }
    }

    private static boolean released(PeerLock lock) {
        try {
            return lock.release();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
