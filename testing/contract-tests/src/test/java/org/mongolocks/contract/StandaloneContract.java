package org.mongolocks.contract;

import org.mongolocks.server.ContractServer;
import org.mongolocks.server.ServerFinder;

/** The contract on the embedded server as a standalone, which cannot refuse late commands by their session. */
abstract class StandaloneContract extends LockContract {
    @Override
    public ContractServer server() {
        return ServerFinder.standalone();
    }
}
