package org.mongolocks.benchmarks.report.html;

import java.util.Optional;
import org.mongolocks.benchmarks.report.choice.MeasuredRun;
import org.mongolocks.benchmarks.report.choice.MeasuredRun.Benchmarks;

/**
 * The conditions of a run.
 *
 * @param startedAt the start time
 * @param elapsedSeconds the duration
 * @param mode the length of the run, by name
 * @param command the command that repeats the run
 * @param benchmarks the benchmarks of the run
 * @param server the server
 * @param machine the machine of the client
 */
record RunConditions(
        String startedAt,
        double elapsedSeconds,
        String mode,
        String command,
        Benchmarks benchmarks,
        Server server,
        Machine machine) {
    /**
     * The server.
     *
     * @param kind {@code embedded} or {@code uri}
     * @param version its version
     * @param topology the type of the deployment
     * @param members the number of members
     * @param majorityLagMillis the delay of {@code w: majority} acknowledgements on the embedded server, in
     *     milliseconds
     */
    record Server(String kind, String version, String topology, int members, long majorityLagMillis) {
        boolean isEmbedded() {
            return kind.equals("embedded");
        }

        MeasuredRun.Server chosenFor() {
            if (topology.equals("standalone")) {
                return MeasuredRun.Server.STANDALONE;
            }
            return isEmbedded() ? MeasuredRun.Server.EMBEDDED : MeasuredRun.Server.CLUSTER;
        }

        String words() {
            String what = topology.replace('-', ' ') + (members > 1 ? " of " + members : "");
            String lag = majorityLagMillis > 0 ? " whose majority lags " + majorityLagMillis + " ms behind" : "";
            return (isEmbedded() ? "the embedded server, " : "") + "MongoDB " + version + ", " + what + lag;
        }
    }

    /**
     * The machine of the client.
     *
     * @param cpus the number of processors
     * @param os the operating system
     * @param jvm the virtual machine
     * @param loadAverage the load average before the run, if known
     * @param memoryBytes the memory of the machine, if known
     */
    record Machine(int cpus, String os, String jvm, Optional<Double> loadAverage, Optional<Double> memoryBytes) {
        boolean wasBusy() {
            return loadAverage.filter(load -> load > cpus / 2.0).isPresent();
        }
    }
}
