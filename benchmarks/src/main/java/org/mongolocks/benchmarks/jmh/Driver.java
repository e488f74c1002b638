package org.mongolocks.benchmarks.jmh;

import org.mongolocks.benchmarks.server.TargetServer;

/** Is a driver of MongoDB, and with it one of the two lock clients. */
public enum Driver {
    SYNC {
        @Override
        Rig rig(TargetServer server) {
            return new SyncRig(server);
        }
    },
    REACTIVE {
        @Override
        Rig rig(TargetServer server) {
            return new ReactiveRig(server);
        }
    };

    /** Connects to the server that the environment names, or to an embedded one, and says which in the output. */
    Rig open() {
        TargetServer server = TargetServer.ofEnvironment();
        System.out.println(server.describe().line());
        return rig(server);
    }

    abstract Rig rig(TargetServer server);
}
