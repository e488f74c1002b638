package org.mongolocks.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCredential;
import com.mongodb.MongoSecurityException;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockException;

class ComplaintsTest {
    @Test
    void theGistIsOneLine() {
        assertThat(Complaints.gist(new LockException("It failed\n    at somewhere")))
                .isEqualTo("It failed");
    }

    @Test
    void theGistOfAnExceptionWithoutMessageIsItsKind() {
        assertThat(Complaints.gist(new ArithmeticException())).isEqualTo("ArithmeticException");
    }

    @Test
    void theGistIsNotEndless() {
        assertThat(Complaints.gist(new LockException("x".repeat(5_000)))).hasSizeLessThan(310);
    }

    @Test
    void aRefusedUserIsNotNamed() {
        MongoCredential ann = MongoCredential.createCredential("Ann", "admin", "S3cret".toCharArray());
        MongoSecurityException refusal = new MongoSecurityException(ann, "Exception authenticating " + ann);

        assertThat(Complaints.gist(new LockException("Acquiring failed: " + refusal.getMessage(), refusal)))
                .isEqualTo("the server refused the credentials");
    }
}
