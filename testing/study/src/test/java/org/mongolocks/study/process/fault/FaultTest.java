package org.mongolocks.study.process.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.process.fault.Fault.Timed;

class FaultTest {
    private static final int MANY = 2_000;

    private static List<Timed> faults(long seed) {
        return Fault.random(seed, 4, 2).limit(MANY).toList();
    }

    @Test
    void sameSeedGivesTheSameFaults() {
        assertThat(faults(7)).isEqualTo(faults(7)).isNotEqualTo(faults(8));
    }

    /** A run is judged by the commands that are hit; those of streams tell nothing about locks. */
    @Test
    void onlyRandomFaultsHitCommandsOfStreams() {
        assertThat(Fault.often(ConnectionFault.RESETS, 7).limit(MANY))
                .extracting(Timed::fault)
                .allMatch(one ->
                        one instanceof Fault.OfRoute hit && !hit.commands().areOfStreams());
        assertThat(faults(7))
                .extracting(Timed::fault)
                .filteredOn(one -> one instanceof Fault.OfRoute)
                .isNotEmpty()
                .allMatch(one ->
                        one instanceof Fault.OfRoute hit && hit.commands().areOfStreams());
    }

    @Test
    void everyKindOfFaultOccurs() {
        List<Fault> all = faults(7).stream().map(Timed::fault).toList();

        assertThat(all).hasAtLeastOneElementOfType(Fault.StepDown.class);
        assertThat(all)
                .anyMatch(
                        one -> one instanceof Fault.OfClient hit && hit.signal().isKill());
        assertThat(all)
                .anyMatch(one ->
                        one instanceof Fault.OfClient hit && !hit.signal().isKill());
        assertThat(all.stream()
                        .flatMap(one -> one instanceof Fault.AtPoint hit ? List.of(hit.point()).stream() : null)
                        .collect(Collectors.toSet()))
                .hasSameElementsAs(Fault.POINTS);
        assertThat(all.stream()
                        .flatMap(one -> one instanceof Fault.OfRoute hit ? hit.fault().stream() : null)
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(ConnectionFault.values());
    }
}
