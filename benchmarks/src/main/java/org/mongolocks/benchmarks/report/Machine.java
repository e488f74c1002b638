package org.mongolocks.benchmarks.report;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Says on which machine a run was measured.
 *
 * @param cpus how many processors the JVM may use
 * @param os the operating system, its version and architecture
 * @param jvm the virtual machine and its version
 * @param loadAverage how many threads of all processes wanted a processor in the minute before the run; negative if unknown
 * @param memoryBytes how much memory it has
 */
public record Machine(int cpus, String os, String jvm, double loadAverage, long memoryBytes) {
    /** Describes the machine that this runs on. */
    public static Machine current() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                join("os.name", "os.version", "os.arch"),
                join("java.vm.name", "java.vm.version"),
                system.getSystemLoadAverage(),
                system.getTotalMemorySize());
    }

    private static String join(String first, String... others) {
        StringBuilder text = new StringBuilder(System.getProperty(first));
        for (String other : others) {
            text.append(' ').append(System.getProperty(other));
        }
        return text.toString();
    }
}
