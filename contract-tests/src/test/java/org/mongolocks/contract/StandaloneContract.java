package org.mongolocks.contract;

/** The contract on the embedded server as a standalone, which cannot refuse late commands by their session. */
abstract class StandaloneContract extends LockContract {
    @Override
    public ContractServer server() {
        return ServerFinder.standalone();
    }
}
