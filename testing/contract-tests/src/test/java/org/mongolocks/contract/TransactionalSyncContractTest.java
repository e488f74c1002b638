package org.mongolocks.contract;

import org.junit.jupiter.api.Tag;
import org.mongolocks.contract.adapter.Driver;

/** The rules of the strategy on the driver that {@link TransactionalContractTest} leaves out. */
@Tag("slow")
@OnDrivers(Driver.SYNC)
class TransactionalSyncContractTest extends TransactionalContractTest {}
