package org.mongolocks.internal.base;

/**
 * A daemon thread of the library. It has neither the context class loader nor the inheritable thread locals of the caller
 * that happened to create it.
 */
public class DaemonThread extends Thread {
    /** Creates a thread for one task; it is not started. */
    public DaemonThread(String name, Runnable work) {
        super(null, work, name, 0, false);
        setContextClassLoader(null);
        setDaemon(true);
    }
}
