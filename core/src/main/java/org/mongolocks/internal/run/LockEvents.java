package org.mongolocks.internal.run;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.mongolocks.LockEvent;
import org.mongolocks.LockEvent.Kind;
import org.mongolocks.LockName;
import org.mongolocks.LockObserver;
import org.mongolocks.internal.settings.ClientSettings;

/** The events of acquisitions, which hold no lock. */
public final class LockEvents {
    private LockEvents() {}

    /** Sends an event of an acquisition, with how long it took if it has ended, if the client has an observer. */
    public static void ofAcquisition(
            ClientSettings settings, Kind kind, LockName name, Supplier<Optional<Duration>> waited) {
        Optional<LockObserver> observer = settings.holding().observer();
        if (observer.isPresent()) {
            observer.get()
                    .onEvent(
                            LockEvent.of(kind, name, settings.strategy().name()).waited(waited.get()));
        }
    }
}
