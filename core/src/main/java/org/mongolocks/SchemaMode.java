package org.mongolocks;

/** Says what a client does about collections and indexes when it is built. No lock needs an index to be correct. */
public enum SchemaMode {
    /** Creates what is missing. What cannot be created is a warning in the log. */
    CREATE,
    /** Leaves everything as it is; MongoDB creates a collection at the first write. */
    NONE
}
