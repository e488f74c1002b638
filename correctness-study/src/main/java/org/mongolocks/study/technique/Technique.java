package org.mongolocks.study.technique;

import java.time.InstantSource;
import java.util.function.Function;
import org.mongolocks.spi.LockStrategy;

/**
 * Is one way to lock, with how its users use it.
 *
 * @param name its name
 * @param strategies makes the strategy of a client from the wall clock of that client
 * @param habits how it is used
 */
public record Technique(String name, Function<InstantSource, LockStrategy> strategies, Habits habits) {}
