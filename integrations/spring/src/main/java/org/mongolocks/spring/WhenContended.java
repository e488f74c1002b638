package org.mongolocks.spring;

/** What a method under {@link Locked} does if another owner held the lock all the time. The method is not called. */
public enum WhenContended {
    /** It fails with {@link org.mongolocks.LockContendedException}, whose message names the holder. */
    THROW,
    /**
     * It returns null, or an empty {@code Optional}, {@code OptionalInt}, {@code OptionalLong} or
     * {@code OptionalDouble}. A {@code CompletionStage} completes with that value; a {@code Mono} or {@code Flux}
     * completes empty. A method with a primitive result is refused when its bean is created.
     */
    SKIP
}
