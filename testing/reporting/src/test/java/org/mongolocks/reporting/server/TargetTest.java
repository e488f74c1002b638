package org.mongolocks.reporting.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "mongodb://",
                "mongodb://Ann:S3cret@host:port",
                "mongodb://Ann:S3cr@et@localhost",
                "mongodb://Ann:S3cret:x@localhost",
                "mongodb://Ann%ZZ:S3cret@localhost",
                "mongodb://localhost/?authMechanism=S3cret",
                "mongodb://Ann:S3cret@localhost/?w=1&journal=S3cret&readPreference=S3cret",
                "mongodb://Ann:S3cret@localhost/?authMechanismProperties=S3cret@x",
                "mongodb://Ann:S3c\rret/x@localhost",
                "mongodb://Ann:S3cret@localhost\n",
                "postgres://Ann:S3cret@localhost"
            })
    void invalidConnectionStringIsReportedWithoutSecrets(String uri) {
        assertThatThrownBy(() -> Target.parse(uri))
                .isInstanceOf(UnusableInputException.class)
                .hasMessageStartingWith(
                        "--uri must be 'embedded' or a connection string such as mongodb://localhost:27017/?replicaSet=rs0: ")
                .extracting(Throwable::getMessage)
                .asString()
                .doesNotContain("Ann", "S3c");
    }

    @Test
    void invalidHostsAreReportedWithTheReason() {
        assertThatThrownBy(() -> Target.parse("mongodb://Ann:S3cret@host:port"))
                .hasMessageContaining("port contains non-digit");
    }

    @Test
    void aGoodOneIsRead() {
        assertThat(Target.parse("mongodb://a:1,b:2/?replicaSet=rs0").getHosts()).containsExactly("a:1", "b:2");
    }
}
