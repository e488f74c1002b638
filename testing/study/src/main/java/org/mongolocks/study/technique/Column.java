package org.mongolocks.study.technique;

import java.time.Duration;
import org.mongolocks.study.technique.Technique.TechniqueConfig;

/** A column of the matrix of real processes: a technique on MongoDB, or a library. */
public sealed interface Column permits Technique, Library {
    /** Returns its name. */
    String name();

    /** Returns how it is used. */
    TechniqueConfig config();

    /** Returns whether grants have tokens that grow. */
    boolean hasTokens();

    /** Returns the length of every lease with real processes. */
    Duration ttl();
}
