/**
 * Meters of all locks of a client, {@link org.mongolocks.micrometer.LockMetrics}, and observations of calls, for
 * traces: {@link org.mongolocks.micrometer.ObservedLocks}, {@link org.mongolocks.micrometer.ReactiveObservedLocks}.
 */
package org.mongolocks.micrometer;
