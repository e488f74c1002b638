package org.mongolocks.benchmarks.page;

import java.util.List;
import java.util.Optional;

/**
 * Tells where, when and how was measured.
 *
 * @param startedAt when the run began
 * @param elapsedSeconds how long it took
 * @param mode how thorough it was
 * @param command what to type to have it again
 * @param only the benchmarks that ran; all, if there are none
 * @param server the server
 * @param machine where the program ran
 * @param drift how much the floor drifted, as a fraction
 * @param noisy whether that is too much
 * @param advice what the program advised in one line
 */
record Circumstances(
        String startedAt,
        double elapsedSeconds,
        String mode,
        String command,
        List<String> only,
        Server server,
        Machine machine,
        double drift,
        boolean noisy,
        String advice) {
    Circumstances {
        only = List.copyOf(only);
    }

    /**
     * Is the server.
     *
     * @param kind {@code embedded} or {@code uri}
     * @param version its version
     * @param topology what it is a part of
     * @param members of how many
     * @param majorityLagMillis how long the embedded server has everybody wait who waits for a majority
     */
    record Server(String kind, String version, String topology, int members, long majorityLagMillis) {
        boolean isEmbedded() {
            return kind.equals("embedded");
        }

        boolean isStandalone() {
            return topology.equals("standalone");
        }

        String words() {
            String what = topology.replace('-', ' ') + (members > 1 ? " of " + members : "");
            String lag = majorityLagMillis > 0 ? " whose majority lags " + majorityLagMillis + " ms behind" : "";
            return (isEmbedded() ? "the embedded server, " : "") + "MongoDB " + version + ", " + what + lag;
        }
    }

    /**
     * Is where the program ran.
     *
     * @param cpus how many processors it had
     * @param os the operating system
     * @param jvm the virtual machine
     * @param loadAverage how many were running or waiting for a processor when it began, if that is known
     * @param memoryBytes how much memory the machine has, if that is known
     */
    record Machine(int cpus, String os, String jvm, Optional<Double> loadAverage, Optional<Double> memoryBytes) {
        boolean wasBusy() {
            return loadAverage.filter(load -> load > cpus / 2.0).isPresent();
        }
    }
}
