package org.mongolocks.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCredential;
import com.mongodb.MongoSecurityException;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockException;

class ConnectionErrorsTest {
    @Test
    void summaryIsOneLine() {
        assertThat(ConnectionErrors.firstLine(new LockException("It failed\n    at somewhere")))
                .isEqualTo("It failed");
    }

    @Test
    void firstLineOfAnExceptionWithoutMessageIsItsType() {
        assertThat(ConnectionErrors.firstLine(new ArithmeticException())).isEqualTo("ArithmeticException");
    }

    @Test
    void firstLineIsTruncated() {
        assertThat(ConnectionErrors.firstLine(new LockException("x".repeat(5_000))))
                .hasSizeLessThan(310);
    }

    @Test
    void aRefusedUserIsNotNamed() {
        MongoCredential ann = MongoCredential.createCredential("Ann", "admin", "S3cret".toCharArray());
        MongoSecurityException refusal = new MongoSecurityException(ann, "Exception authenticating " + ann);

        assertThat(ConnectionErrors.firstLine(new LockException("Acquiring failed: " + refusal.getMessage(), refusal)))
                .isEqualTo("the server refused the credentials");
    }
}
