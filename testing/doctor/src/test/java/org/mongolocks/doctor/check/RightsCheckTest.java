package org.mongolocks.doctor.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;

/** Tests that compare the rights of the check with the roles of docs/operations.md. */
class RightsCheckTest {
    private static final Pattern ROLE = Pattern.compile("createRole\\((\\{.*?\\n})\\)", Pattern.DOTALL);

    @ParameterizedTest
    @CsvSource({"findandmodify-counter, lockClient", "transactional, lockClientTransactional"})
    void theRolesOfTheDocumentationAreAskedFor(String name, String role) throws IOException {
        LockStrategy strategy = LockStrategies.named(name);

        Map<String, Set<String>> needed = new TreeMap<>();
        RightsCheck.needed(strategy, "locks").forEach((key, actions) -> needed.put(key, new TreeSet<>(actions)));

        Map<String, Set<String>> documented = documented(Set.of(role, "lockSchemaRead"));
        documented.keySet().retainAll(needed.keySet());
        assertThat(needed).isEqualTo(documented);
    }

    private static Map<String, Set<String>> documented(Set<String> roles) throws IOException {
        Map<String, Set<String>> actions = new TreeMap<>();
        ROLE.matcher(Files.readString(Path.of("..", "..", "docs", "operations.md")))
                .results()
                .map(match -> BsonDocument.parse(match.group(1)))
                .filter(role -> roles.contains(role.getString("role").getValue()))
                .flatMap(role -> role.getArray("privileges").stream())
                .map(BsonValue::asDocument)
                .forEach(privilege -> privilege
                        .getArray("actions")
                        .forEach(action -> actions.computeIfAbsent(collection(privilege), none -> new TreeSet<>())
                                .add(action.asString().getValue())));
        return actions;
    }

    /** The documentation uses the collection of one strategy as an example. */
    private static String collection(BsonDocument privilege) {
        String name = privilege.getDocument("resource").getString("collection").getValue();
        return name.replaceFirst("^locks\\.[a-z-]+", "locks");
    }
}
