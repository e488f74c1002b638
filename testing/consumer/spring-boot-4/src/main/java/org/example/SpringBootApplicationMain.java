package org.example;

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
            context.getBean(LockClient.class).withLock("invoice-42", lock -> {
                System.out.println("Spring Boot " + SpringBootVersion.getVersion() + ": held with token "
                        + lock.fencingToken());
            });
        }
    }
}
