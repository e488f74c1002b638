package org.mongolocks.study.technique;

import java.time.Duration;
import org.mongolocks.peers.PeerLibraries;
import org.mongolocks.peers.PeerLibrary;
import org.mongolocks.study.technique.Technique.TechniqueConfig;

/**
 * A library behind the interface for all.
 *
 * @param peer how it is used
 */
public record Library(PeerLibrary peer) implements Column {
    /** The interval of attempts with a library that does not wait. */
    public static final Duration POLL = Duration.ofMillis(100);

    private static final Duration WAIT_AT_MOST = Duration.ofSeconds(5);

    /**
     * Returns a library by its name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Library named(String name) {
        return PeerLibraries.all().stream()
                .filter(peer -> peer.name().equals(name))
                .findFirst()
                .map(Library::new)
                .orElseThrow(() -> new IllegalArgumentException("No library '" + name + "'"));
    }

    @Override
    public String name() {
        return peer.name();
    }

    @Override
    public TechniqueConfig config() {
        return TechniqueConfig.textbook(POLL, WAIT_AT_MOST).keptAlive();
    }

    @Override
    public boolean hasTokens() {
        return peer.hasTokens();
    }

    @Override
    public Duration ttl() {
        return peer.ttl();
    }
}
