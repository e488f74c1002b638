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
import org.mongolocks.contract.rules.ContractContext.ContractRule;

class ContractDocumentTest {
    private static final Pattern ITEM = Pattern.compile("^- ([A-Z]{2}-\\d+) `(\\w+)`:", Pattern.MULTILINE);
    private static final Path SOURCES =
            Path.of("..", "contract-testkit", "src", "main", "java", "org", "mongolocks", "contract", "rules");
    private static final Path DOCUMENT = Path.of("..", "..", "docs", "contract.md");

    @Test
    void everyRuleIsDocumentedAndEveryDocumentedRuleIsTested() throws IOException {
        String document = Files.readString(DOCUMENT);

        Stream<String> documented = ITEM.matcher(document).results().map(ContractDocumentTest::item);

        assertThat(documented).containsExactlyInAnyOrderElementsOf(rules().toList());
    }

    @Test
    void theListsAreGeneratedFromTheRules() throws IOException {
        String document = Files.readString(DOCUMENT);

        assertThat(document).isEqualTo(ContractDocumentWriter.write(SOURCES, document));
    }

    private static Stream<String> rules() {
        return Arrays.stream(LockContract.class.getMethods())
                .filter(method -> method.isAnnotationPresent(ContractRule.class))
                .map(ContractDocumentTest::item);
    }

    private static String item(Method method) {
        return method.getAnnotation(ContractRule.class).value() + " " + method.getName();
    }

    private static String item(MatchResult match) {
        return match.group(1) + " " + match.group(2);
    }
}
