package org.mongolocks.contract;

/** Runs the contract on the embedded server as a standalone, where no session keeps a late request away. */
abstract class StandaloneContract extends LockContract {
    @Override
    public ContractServer server() {
        return ServerFinder.standalone();
    }
}
