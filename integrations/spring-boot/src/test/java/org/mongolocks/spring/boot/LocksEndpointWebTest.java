package org.mongolocks.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.spring.boot.TestApplication.NAME;
import static org.mongolocks.spring.boot.TestApplication.REQUEST;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.LockClient;
import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** A whole application with the auto-configuration that Spring Boot finds, over HTTP. */
class LocksEndpointWebTest {
    private final TestApplication application = new TestApplication();
    private final HttpClient http = HttpClient.newHttpClient();
    private ConfigurableApplicationContext context;

    @BeforeEach
    void start() {
        context = new SpringApplicationBuilder(Application.class)
                .bannerMode(Banner.Mode.OFF)
                .properties(Map.of(
                        "server.port", "0",
                        "spring.mongodb.uri", TestApplication.uri(),
                        "spring.mongodb.database", application.database,
                        "mongo-locks.strategy", TestApplication.STRATEGY,
                        "mongo-locks.drain-timeout", "0s",
                        "management.endpoints.web.exposure.include", "health,locks",
                        "management.endpoint.health.show-details", "always",
                        "management.endpoint.locks.access", "unrestricted"))
                .run();
    }

    @AfterEach
    void close() {
        context.close();
        application.close();
    }

    @Test
    void lockWithASlashIsShownAndReleasedOnceItsRevisionIsKnown() throws Exception {
        LockClient locks = context.getBean(LockClient.class);
        assertThat(locks.tryAcquire(LockRequest.of("invoices/42", REQUEST.ttl())))
                .isPresent();

        Map<String, Object> shown = body(send("GET", "/locks/invoices/42"));
        String revision = String.valueOf(shown.get("revision"));

        assertThat(shown).containsEntry("held", true).containsEntry("ttl", "PT1M");
        assertThat(send("DELETE", "/locks/invoices/42?revision=" + revision + "1")
                        .statusCode())
                .isEqualTo(409);
        assertThat(send("DELETE", "/locks/invoices/42?revision=" + revision).statusCode())
                .isEqualTo(200);
        assertThat(locks.inspect("invoices/42").orElseThrow().isHeld()).isFalse();
    }

    @Test
    void releaseNeedsARevisionAndAStoredLock() throws Exception {
        assertThat(context.getBean(LockClient.class).tryAcquire(REQUEST)).isPresent();

        assertThat(send("DELETE", "/locks/" + NAME).statusCode()).isEqualTo(400);
        assertThat(send("DELETE", "/locks/unused?revision=1").statusCode()).isEqualTo(404);
        assertThat(application.isHeld()).isTrue();
    }

    @Test
    void listTakesParametersAndRefusesThoseOutOfBounds() throws Exception {
        assertThat(context.getBean(LockClient.class).tryAcquire(REQUEST)).isPresent();

        assertThat(body(send("GET", "/locks?prefix=invoice&heldOnly=true&limit=10")))
                .hasEntrySatisfying("locks", page -> assertThat(page.toString()).contains(NAME));
        assertThat(send("GET", "/locks?limit=0").statusCode()).isEqualTo(400);
    }

    @Test
    void healthHasTheLockClient() throws Exception {
        assertThat(send("GET", "/health").body()).contains("\"mongoLocks\"", "\"strategy\":\"insert-unique\"");
    }

    private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        String port = context.getEnvironment().getProperty("local.server.port");
        return http.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator" + path))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    private static Map<String, Object> body(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JsonParserFactory.getJsonParser().parseMap(response.body());
    }

    /** An application that has nothing but its dependencies. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
