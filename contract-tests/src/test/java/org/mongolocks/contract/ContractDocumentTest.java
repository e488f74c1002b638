package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ContractDocumentTest {
    private static final Pattern ROW = Pattern.compile("^\\| ([A-Z]{2}-\\d+) \\| `(\\w+)` \\|", Pattern.MULTILINE);

    @Test
    void everyRuleIsDocumentedAndEveryDocumentedRuleIsTested() throws IOException {
        String document = Files.readString(Path.of("..", "docs", "contract.md"));

        Stream<String> documented = ROW.matcher(document).results().map(ContractDocumentTest::row);

        assertThat(documented).containsExactlyInAnyOrderElementsOf(rules().toList());
    }

    private static Stream<String> rules() {
        return Arrays.stream(LockContract.class.getMethods())
                .filter(method -> method.isAnnotationPresent(ContractRule.class))
                .map(ContractDocumentTest::row);
    }

    private static String row(Method method) {
        return method.getAnnotation(ContractRule.class).value() + " " + method.getName();
    }

    private static String row(MatchResult match) {
        return match.group(1) + " " + match.group(2);
    }
}
