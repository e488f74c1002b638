package org.mongolocks.benchmarks.report;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.MeasurementStatus.Status;
import org.mongolocks.benchmarks.result.RunResults;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.reporting.server.ServerDescription;

/**
 * The results of one run and its conditions.
 *
 * @param startedAt the start time
 * @param inquiry the parameters of the run
 * @param machine the machine of the client
 * @param findings the results of all benchmarks
 * @param missing the ids of the benchmarks that have not ended; empty unless the run was stopped
 */
public record Report(
        Instant startedAt,
        Duration elapsed,
        RunParameters inquiry,
        ServerDescription server,
        Machine machine,
        RunResults findings,
        List<String> missing) {

    private static final double MILLIS_PER_MINUTE = 60_000;

    /** Returns what the run says. */
    Choice choice() {
        return new Choice(this);
    }

    /** Returns whether no contender violated mutual exclusion and no strategy failed; another library or a baseline may. */
    public boolean isSound() {
        return findings.contenders().stream()
                .noneMatch(one -> one.verdict().status() == Status.VOID
                        || (one.kind() == Kind.STRATEGY
                                && !one.verdict().failures().isEmpty()));
    }

    /**
     * The parameters of a run.
     *
     * @param only the ids of the benchmarks that ran
     * @param time the planned time of all benchmarks, of which those that ran take their share
     * @param command the command that repeats the run, without secrets
     */
    public record RunParameters(RunLength mode, List<String> only, Duration time, String command) {
        public RunParameters {
            only = List.copyOf(only);
        }

        /** Returns the planned time in minutes. */
        double minutes() {
            return time.toMillis() / MILLIS_PER_MINUTE;
        }
    }

    /**
     * The machine of a run.
     *
     * @param cpus the number of processors available to the JVM
     * @param os the operating system, its version and architecture
     * @param jvm the virtual machine and its version
     * @param loadAverage the system load average over the minute before the run; negative if unknown
     */
    public record Machine(int cpus, String os, String jvm, double loadAverage, long memoryBytes) {
        /** Describes this machine. */
        public static Machine current() {
            OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            return new Machine(
                    Runtime.getRuntime().availableProcessors(),
                    join("os.name", "os.version", "os.arch"),
                    join("java.vm.name", "java.vm.version"),
                    system.getSystemLoadAverage(),
                    system.getTotalMemorySize());
        }

        /** Returns a warning if other programs kept the machine busy before the run. */
        public Optional<String> busy() {
            String warning = String.format(
                    Locale.ROOT,
                    "The machine was busy before the run began: load %.2f with %d processors.",
                    loadAverage,
                    cpus);
            return Optional.of(warning).filter(words -> loadAverage > cpus / 2.0);
        }

        private static String join(String... properties) {
            return Stream.of(properties).map(System::getProperty).collect(Collectors.joining(" "));
        }
    }
}
