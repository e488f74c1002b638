package org.mongolocks.example.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Instances of three releases: with the old lock, with both, and with the new one. A rollout runs instances of two
 * releases that follow each other at once, and so does the way back.
 */
public abstract class Rollout extends Shop {
    /** A process of one release. */
    @FunctionalInterface
    public interface Instance {
        /** Runs the work, unless another instance is at it. */
        boolean run(Runnable work) throws Exception;
    }

    protected abstract Instance oldRelease() throws Exception;

    protected abstract Instance bothLocksRelease() throws Exception;

    protected abstract Instance newRelease() throws Exception;

    /** The reason for the release with both locks, and the proof that these tests see two instances at work. */
    @Test
    void oldAndNewReleaseDoNotExcludeEachOther() throws Exception {
        assertThat(runsBeside(oldRelease(), newRelease())).isTrue();
    }

    @Test
    void instancesOfOneReleaseExcludeEachOther() throws Exception {
        assertExclusion(oldRelease(), oldRelease());
        assertExclusion(bothLocksRelease(), bothLocksRelease());
        assertExclusion(newRelease(), newRelease());
    }

    @Test
    void bothLocksExcludeTheOldRelease() throws Exception {
        assertExclusion(oldRelease(), bothLocksRelease());
        assertExclusion(bothLocksRelease(), oldRelease());
    }

    @Test
    void bothLocksExcludeTheNewRelease() throws Exception {
        assertExclusion(newRelease(), bothLocksRelease());
        assertExclusion(bothLocksRelease(), newRelease());
    }

    @Test
    void noLockStaysHeldAfterARefusal() throws Exception {
        Instance both = bothLocksRelease();

        assertThat(newRelease().run(() -> assertThat(runsElsewhere(both)).isFalse()))
                .isTrue();

        assertThat(runsElsewhere(oldRelease())).isTrue();
        assertThat(runsElsewhere(newRelease())).isTrue();
        assertThat(runsElsewhere(both)).isTrue();
    }

    @Test
    void noLockStaysHeldAfterAFailure() throws Exception {
        Instance both = bothLocksRelease();
        CompletableFuture<Boolean> failed = CompletableFuture.supplyAsync(() -> run(both, () -> {
            throw new IllegalStateException("no paper");
        }));
        assertThat(failed).failsWithin(Duration.ofMinutes(1));

        assertThat(runsElsewhere(oldRelease())).isTrue();
        assertThat(runsElsewhere(newRelease())).isTrue();
    }

    @Test
    void workRunsAloneWhileTheInstancesAreReplaced() throws Exception {
        Instance[] fleet = {oldRelease(), oldRelease(), oldRelease()};
        AtomicInteger runs = new AtomicInteger();

        for (Release next :
                new Release[] {this::bothLocksRelease, this::newRelease, this::bothLocksRelease, this::oldRelease}) {
            for (int i = 0; i < fleet.length; i++) {
                Instance started = next.instance();
                for (Instance holder : fleet) {
                    assertExclusion(holder, started);
                    runs.incrementAndGet();
                }
                fleet[i] = started;
            }
        }

        assertThat(runs).hasValue(36);
    }

    private interface Release {
        Instance instance() throws Exception;
    }

    protected static void assertExclusion(Instance holder, Instance other) throws Exception {
        assertThat(runsBeside(holder, other)).isFalse();
        assertThat(runsElsewhere(other)).as("when the holder has ended").isTrue();
    }

    /** Returns whether one instance does its work while another does. */
    private static boolean runsBeside(Instance holder, Instance other) throws Exception {
        AtomicInteger others = new AtomicInteger();
        assertThat(holder.run(() -> {
                    if (runsElsewhere(other)) {
                        others.incrementAndGet();
                    }
                }))
                .isTrue();
        return others.get() > 0;
    }

    /** On a thread of its own, because some locks let their own thread enter again. */
    private static boolean runsElsewhere(Instance instance) {
        return CompletableFuture.supplyAsync(() -> run(instance, () -> {})).join();
    }

    private static boolean run(Instance instance, Runnable work) {
        try {
            return instance.run(work);
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }
}
