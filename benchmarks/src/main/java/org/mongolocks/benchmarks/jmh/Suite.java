package org.mongolocks.benchmarks.jmh;

import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.openjdk.jmh.Main;

/**
 * Starts JMH, with its own options. Unless they say otherwise, an error ends the run with exit status 1: a lock that was
 * lost or a witness that saw two holders makes all figures worthless.
 */
public final class Suite {
    private static final String FAIL_ON_ERROR = "-foe";

    private Suite() {}

    public static void main(String[] arguments) throws IOException {
        Main.main(strict(arguments));
    }

    static String[] strict(String... arguments) {
        boolean decided = Arrays.asList(arguments).contains(FAIL_ON_ERROR);
        Stream<String> strict = decided ? Stream.empty() : Stream.of(FAIL_ON_ERROR, "true");
        return Stream.concat(strict, Arrays.stream(arguments)).toArray(String[]::new);
    }
}
