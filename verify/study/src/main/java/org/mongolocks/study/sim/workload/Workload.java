package org.mongolocks.study.sim.workload;

import java.time.Duration;
import org.mongolocks.study.sim.time.DurationRange;

/**
 * The actions of the clients of a run, in a loop: think, acquire, read the resources, work, write, release.
 *
 * @param clients the number of processes
 * @param workers the number of threads in each
 * @param think the time between two acquisitions of a worker
 * @param work the time between reading and writing
 * @param length the length of the run, before all faults end and a new client acquires the lock
 */
public record Workload(int clients, int workers, DurationRange think, DurationRange work, Duration length) {}
