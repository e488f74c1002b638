package org.mongolocks.benchmarks.report;

/**
 * Says on which machine a run was measured.
 *
 * @param cpus how many processors the JVM may use
 * @param os the operating system, its version and architecture
 * @param jvm the virtual machine and its version
 */
public record Machine(int cpus, String os, String jvm) {
    /** Describes the machine that this runs on. */
    public static Machine current() {
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                join("os.name", "os.version", "os.arch"),
                join("java.vm.name", "java.vm.version"));
    }

    private static String join(String first, String... others) {
        StringBuilder text = new StringBuilder(System.getProperty(first));
        for (String other : others) {
            text.append(' ').append(System.getProperty(other));
        }
        return text.toString();
    }
}
