package org.mongolocks.reporting.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoCredential;
import com.mongodb.MongoException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ClusterId;
import com.mongodb.connection.ClusterType;
import com.mongodb.connection.ServerId;
import java.net.ConnectException;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConnectionErrorsTest {
    private static final ServerAddress SERVER = new ServerAddress("db", 1);
    private static final ClusterDescription UNKNOWN_CLUSTER =
            new ClusterDescription(ClusterConnectionMode.SINGLE, ClusterType.UNKNOWN, List.of());

    @ParameterizedTest
    @MethodSource("unreachable")
    void serverThatStopsIsUnreachableWhateverTheCommandGot(MongoException e, String reason) {
        assertThat(ConnectionErrors.about("db:1", UNKNOWN_CLUSTER, e))
                .hasMessage("cannot reach a MongoDB server that accepts writes at db:1" + reason)
                .hasCause(e);
    }

    static Stream<Arguments> unreachable() {
        MongoException refused = new MongoSocketReadException("read", SERVER, new ConnectException("refused"));
        BsonDocument notPrimary = BsonDocument.parse("{ok: 0, code: 10107, errmsg: 'not primary'}");
        BsonDocument stopping = BsonDocument.parse("{ok: 0, code: 11600, errmsg: 'shutting down'}");
        return Stream.of(
                Arguments.of(new MongoTimeoutException("a long description of the cluster"), ""),
                Arguments.of(refused, ": refused"),
                Arguments.of(
                        new MongoConnectionPoolClearedException(new ServerId(new ClusterId(), SERVER), refused),
                        ": refused"),
                Arguments.of(
                        new MongoNotPrimaryException(notPrimary, SERVER),
                        ": " + new MongoNotPrimaryException(notPrimary, SERVER).getMessage()),
                Arguments.of(
                        new MongoNodeIsRecoveringException(stopping, SERVER),
                        ": " + new MongoNodeIsRecoveringException(stopping, SERVER).getMessage()));
    }

    @Test
    void summaryIsOneLine() {
        assertThat(ConnectionErrors.firstLine(new IllegalStateException("It failed\n    at somewhere")))
                .isEqualTo("It failed");
    }

    @Test
    void firstLineOfAnExceptionWithoutMessageIsItsType() {
        assertThat(ConnectionErrors.firstLine(new ArithmeticException())).isEqualTo("ArithmeticException");
    }

    @Test
    void firstLineIsTruncated() {
        assertThat(ConnectionErrors.firstLine(new IllegalStateException("x".repeat(5_000))))
                .hasSizeLessThan(310);
    }

    @Test
    void aRefusedUserIsNotNamed() {
        MongoCredential ann = MongoCredential.createCredential("Ann", "admin", "S3cret".toCharArray());
        MongoSecurityException refusal = new MongoSecurityException(ann, "Exception authenticating " + ann);

        assertThat(ConnectionErrors.firstLine(
                        new IllegalStateException("Acquiring failed: " + refusal.getMessage(), refusal)))
                .isEqualTo("the server refused the credentials");
    }
}
