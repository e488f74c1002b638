package org.example;

import java.time.Duration;
import org.mongolocks.LockRequest;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.sync.LockClient;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class SpringBootApplicationMain {
    public static void main(String[] args) throws InterruptedException {
        try (EmbeddedMongo server = EmbeddedMongo.start();
                var context = SpringApplication.run(
                        SpringBootApplicationMain.class,
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=warn",
                        "--mongo-locks.database=shop",
                        "--spring.mongodb.uri=" + server.connectionString(),
                        "--spring.data.mongodb.uri=" + server.connectionString())) {
            LockRequest request = LockRequest.of("invoice-42", Duration.ofSeconds(30));
            context.getBean(LockClient.class).withLock(request, lock -> {
                System.out.println("Spring Boot " + SpringBootVersion.getVersion() + ": held with token "
                        + lock.fencingToken());
            });
        }
    }
}
