package org.mongolocks.study.process.fault;

import java.io.IOException;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.proxy.InterceptedCommand;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.process.observer.RunObserver;

/**
 * A network fault on some of the commands: now and then on one to three in a row, so that a driver's single retry is
 * not always enough.
 *
 * @param what a description of the fault, to which the name of the command is appended
 * @param fault the fault
 */
public record NetworkFaults(String what, Supplier<WireFault> fault) {
    private static final Set<String> COMMANDS =
            Set.of("insert", "update", "delete", "findAndModify", "find", "commitTransaction");
    private static final int OCCASIONS = 60;
    private static final int MIN_BETWEEN = 3;
    private static final int MAX_BETWEEN = 12;
    private static final int MAX_IN_A_ROW = 3;

    public void arm(FaultProxy proxy, RandomGenerator random, RunObserver observer) {
        int passed = 0;
        for (int i = 0; i < OCCASIONS; i++) {
            passed += MIN_BETWEEN + random.nextInt(MAX_BETWEEN - MIN_BETWEEN);
            // A command that one trap catches is not seen by the next, which counts the commands that pass.
            proxy.arm(new CommandMatcher(COMMANDS, passed, 1 + random.nextInt(MAX_IN_A_ROW)), noted(observer));
        }
    }

    private WireFault noted(RunObserver observer) {
        WireFault inner = fault.get();
        return new WireFault() {
            @Override
            public void onRequest(InterceptedCommand exchange) throws IOException {
                String command = exchange.request().getFirstKey();
                observer.recordFault(0, Event.Op.FAULT, Event.Phase.INFO, what + command);
                inner.onRequest(exchange);
            }

            @Override
            public void onReply(InterceptedCommand exchange) throws IOException {
                inner.onReply(exchange);
            }
        };
    }
}
