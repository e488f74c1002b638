package org.mongolocks.study.simulation;

import java.time.Duration;

/**
 * Says where the clients of a run live.
 *
 * @param delay how long a message travels
 * @param retryWrites whether the drivers repeat writes
 * @param ttlMonitorSeconds how often the server looks for expired documents
 * @param replicationLag how long a write takes to reach a majority; zero for at once
 * @param connections how many connections a client may have
 * @param weakForAll whether nobody waits for a majority, not even who asks for it: a control
 */
public record Environment(
        Span delay,
        boolean retryWrites,
        int ttlMonitorSeconds,
        Duration replicationLag,
        int connections,
        boolean weakForAll) {}
