package org.mongolocks.contract.broken;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.rules.ContractContext.ContractRule;

/** Tests that for each rule of the contract there is a mistake that breaks it. */
class EveryRuleCanFailTest {
    /** Rules that need a server with access control, which refuses a command without the privilege. */
    private static final Set<String> ON_OTHER_SERVERS = Set.of("aLockNeedsFewRights");

    @Test
    void everyRuleIsBrokenByAMistake() {
        Set<String> broken = Stream.concat(
                        ContractSensitivityTest.aMistakeIsCaught(),
                        ContractSensitivityTest.aMistakeWithThreadsIsCaught())
                .map(row -> (String) row.get()[2])
                .collect(Collectors.toSet());

        assertThat(rules()).isNotEmpty();
        assertThat(broken).isEqualTo(rules());
    }

    private static Set<String> rules() {
        return Arrays.stream(LockContract.class.getMethods())
                .filter(method -> method.isAnnotationPresent(ContractRule.class))
                .map(Method::getName)
                .filter(rule -> !ON_OTHER_SERVERS.contains(rule))
                .collect(Collectors.toSet());
    }
}
