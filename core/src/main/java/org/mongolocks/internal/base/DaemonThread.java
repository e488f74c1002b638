package org.mongolocks.internal.base;

/**
 * A daemon thread of the library. It has neither the context class loader nor the inheritable thread locals of the caller
 * that happened to create it, but the loader of the caller that it works for.
 */
public class DaemonThread extends Thread {
    /** Creates a thread for one task; it is not started. */
    public DaemonThread(String name, CallerLoader caller, Runnable work) {
        super(null, caller.with(work), name, 0, false);
        setContextClassLoader(null);
        setDaemon(true);
    }
}
