package org.mongolocks.study.process.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.study.process.fault.ConnectionFault;
import org.mongolocks.study.sim.config.FaultPoint;

class FaultInjectorTest {
    private static final int MANY = 2_000;

    /** Records what happens to the only process. */
    private static final class OneProcess implements FaultInjector.Targets {
        private final List<String> deeds = new ArrayList<>();

        @Override
        public int any(RandomGenerator random) {
            return 1;
        }

        @Override
        public void kill(int child) {
            deeds.add("kill");
        }

        @Override
        public void pause(int child) {
            deeds.add("pause");
        }

        @Override
        public void stepDownLater() {
            deeds.add("step down");
        }

        @Override
        public void pauseLater(int child) {
            deeds.add("pause later");
        }
    }

    private static List<String> faults(long seed, SoakResult result) throws InterruptedException {
        OneProcess process = new OneProcess();
        try (FaultProxy route = FaultProxy.before(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1))) {
            FaultInjector injector = new FaultInjector(seed, List.of(route), process, result);
            for (int i = 0; i < MANY; i++) {
                process.deeds.add(injector.gap().toString());
                injector.inject();
                for (FaultPoint point : FaultPoint.values()) {
                    injector.reached(process, 1, point);
                }
            }
        }
        process.deeds.add(result.faults().toString());
        return process.deeds;
    }

    @Test
    void sameSeedGivesTheSameFaults() throws InterruptedException {
        assertThat(faults(7, new SoakResult())).isEqualTo(faults(7, new SoakResult()));
    }

    @Test
    void everyKindOfFaultOccurs() throws InterruptedException {
        SoakResult result = new SoakResult();

        assertThat(faults(7, result)).contains("kill", "pause", "pause later", "step down");
        assertThat(result.faults()).hasSize(ConnectionFault.values().length);
    }
}
