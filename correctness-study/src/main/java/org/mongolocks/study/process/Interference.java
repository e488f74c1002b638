package org.mongolocks.study.process;

import java.io.IOException;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.mongolocks.proxy.Aim;
import org.mongolocks.proxy.Exchange;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.study.history.Event;

/**
 * A network fault on some of the commands: now and then on one to three in a row, so that a driver's single retry is
 * not always enough.
 *
 * @param what a description of the fault, to which the name of the command is appended
 * @param fault the fault
 */
record Interference(String what, Supplier<WireFault> fault) {
    private static final Set<String> COMMANDS =
            Set.of("insert", "update", "delete", "findAndModify", "find", "commitTransaction");
    private static final int OCCASIONS = 60;
    private static final int LEAST_BETWEEN = 3;
    private static final int MOST_BETWEEN = 12;
    private static final int MOST_IN_A_ROW = 3;

    void arm(FaultProxy proxy, RandomGenerator random, Observer observer) {
        int passed = 0;
        for (int i = 0; i < OCCASIONS; i++) {
            passed += LEAST_BETWEEN + random.nextInt(MOST_BETWEEN - LEAST_BETWEEN);
            // A command that one trap catches is not seen by the next, which counts the commands that pass.
            proxy.arm(new Aim(COMMANDS, passed, 1 + random.nextInt(MOST_IN_A_ROW)), noted(observer));
        }
    }

    private WireFault noted(Observer observer) {
        WireFault inner = fault.get();
        return new WireFault() {
            @Override
            public void onRequest(Exchange exchange) throws IOException {
                String command = exchange.request().getFirstKey();
                observer.befalls(0, Event.Op.FAULT, Event.Phase.INFO, what + command);
                inner.onRequest(exchange);
            }

            @Override
            public void onReply(Exchange exchange) throws IOException {
                inner.onReply(exchange);
            }
        };
    }
}
