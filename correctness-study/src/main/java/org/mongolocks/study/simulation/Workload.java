package org.mongolocks.study.simulation;

import java.time.Duration;

/**
 * Says what the clients of a run do, until it is over: think, acquire, read the resources, work, write, release.
 *
 * @param clients how many processes
 * @param workers how many threads in each
 * @param think how long a worker does something else
 * @param work how long it works between reading and writing
 * @param length how long the run goes on, before all is healed and somebody asks for the lock once more
 */
public record Workload(int clients, int workers, Span think, Span work, Duration length) {}
