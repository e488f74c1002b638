package org.mongolocks.benchmarks.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The settings of the benchmarks of locks on a server. A sample is one operation; with the reactive client the thread
 * waits for each reply. All writes use majority and journalled write concern.
 *
 * <pre>{@code
 * MONGO_LOCKS_URI=mongodb://localhost ./jmh UncontendedBenchmark -prof gc
 * }</pre>
 *
 * Without {@code MONGO_LOCKS_URI} (environment variable or system property) each fork starts an embedded server:
 * suitable for comparing strategies, not for the figures of a real server. With more threads than processors, the
 * figures include scheduling.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 4)
@Fork(3)
public abstract class SampledBenchmark {}
