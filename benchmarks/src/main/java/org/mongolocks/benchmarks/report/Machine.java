package org.mongolocks.benchmarks.report;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The machine of a run.
 *
 * @param cpus the number of processors available to the JVM
 * @param os the operating system, its version and architecture
 * @param jvm the virtual machine and its version
 * @param loadAverage the system load average over the minute before the run; negative if unknown
 * @param memoryBytes the size of the memory
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

    private static String join(String first, String... others) {
        StringBuilder text = new StringBuilder(System.getProperty(first));
        for (String other : others) {
            text.append(' ').append(System.getProperty(other));
        }
        return text.toString();
    }
}
