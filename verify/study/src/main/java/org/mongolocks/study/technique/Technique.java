package org.mongolocks.study.technique;

import java.time.InstantSource;
import java.util.function.Function;
import org.mongolocks.spi.LockStrategy;

/**
 * A way to lock, with the settings of its users.
 *
 * @param name its name
 * @param strategies creates the strategy of a client from the wall clock of that client
 * @param habits how it is used
 */
public record Technique(String name, Function<InstantSource, LockStrategy> strategies, TechniqueConfig habits) {}
