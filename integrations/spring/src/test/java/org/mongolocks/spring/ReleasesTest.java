package org.mongolocks.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReleasesTest {
    private final Releases releases = new Releases();

    @AfterEach
    void close() {
        releases.close();
    }

    @Test
    void threadsHaveNeitherTheClassLoaderNorTheThreadLocalsOfTheirFirstCaller() throws Exception {
        InheritableThreadLocal<String> callers = new InheritableThreadLocal<>();
        callers.set("of the caller");
        CompletableFuture<String> seen = new CompletableFuture<>();

        releases.execute(() -> seen.complete(Thread.currentThread().getContextClassLoader() + ", " + callers.get()));

        assertThat(seen.get(1, TimeUnit.MINUTES)).isEqualTo("null, null");
    }
}
