package org.mongolocks.study.process;

import java.time.Duration;
import org.mongolocks.peers.PeerLibrary;
import org.mongolocks.peers.PeerLocks;
import org.mongolocks.peers.PeerPlace;
import org.mongolocks.study.technique.Library;

/** ShedLock with a short lease, which nothing renews. */
public final class ShortShedLock implements PeerLibrary {
    static final String NAME = "short-shedlock";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return NAME;
    }

    @Override
    public Server server() {
        return Server.MONGODB;
    }

    @Override
    public Duration ttl() {
        return Duration.ofSeconds(2);
    }

    @Override
    public PeerLocks open(PeerPlace place) throws Exception {
        return Library.named("shedlock").peer().open(place);
    }
}
