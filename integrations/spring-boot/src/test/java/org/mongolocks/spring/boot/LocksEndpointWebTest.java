package org.mongolocks.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.spring.boot.TestApplication.NAME;
import static org.mongolocks.spring.boot.TestApplication.REQUEST;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.LockClient;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.web.firewall.StrictHttpFirewall;

/**
 * A whole application with the auto-configuration that Spring Boot finds, over HTTP and JMX, behind the firewall of Spring
 * Security.
 */
class LocksEndpointWebTest {
    private static final List<String> NAMES = List.of(
            "invoices/42",
            "a//b",
            "/a/",
            "a%2Fb",
            "100%",
            "%",
            "a\\b",
            "a;b=c",
            "what?",
            "a b",
            " ",
            "a+b",
            "a&name=b",
            "a#b",
            "a,b",
            ".",
            "..",
            "../../health",
            "{name}",
            "\"<>|^`'$*:@[]",
            "a\nb\tc\u0001",
            "größe 锁 \uD83D\uDD12");

    private final TestApplication application = new TestApplication();
    private final HttpClient http = HttpClient.newHttpClient();

    private ConfigurableApplicationContext context;

    @BeforeEach
    void start() {
        context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.SERVLET)
                .bannerMode(Banner.Mode.OFF)
                .properties(Map.of(
                        "server.port", "0",
                        "spring.mongodb.uri", TestApplication.uri(),
                        "spring.mongodb.database", application.database,
                        "spring.jmx.enabled", "true",
                        "mongo-locks.strategy", TestApplication.STRATEGY,
                        "mongo-locks.drain-timeout", "0s",
                        "management.endpoints.web.exposure.include", "health,locks",
                        "management.endpoints.jmx.exposure.include", "locks",
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
    @Tag("finds:endpoint-names")
    void lockOfAnyNameIsShownAndReleasedOnceItsRevisionIsKnown() throws Exception {
        LockClient locks = context.getBean(LockClient.class);
        assertThat(locks.tryAcquire(REQUEST)).isPresent();

        for (String name : NAMES) {
            assertThat(locks.tryAcquire(LockRequest.of(name, REQUEST.ttl()).fixedLease()))
                    .isPresent();

            Map<String, Object> shown = only(send("GET", "/locks?name=" + encoded(name)));
            String release = "/locks?name=" + encoded(name) + "&revision=" + shown.get("revision");

            assertThat(shown)
                    .containsEntry("name", name)
                    .containsEntry("held", true)
                    .containsEntry("ttl", "PT1M");
            assertThat(send("DELETE", release + "1").statusCode()).as(name).isEqualTo(409);
            assertThat(locks.inspect(name).orElseThrow().isHeld()).isTrue();
            assertThat(send("DELETE", release).statusCode()).as(name).isEqualTo(200);
            assertThat(locks.inspect(name).orElseThrow().isHeld()).isFalse();
        }
        assertThat(application.isHeld()).isTrue();
    }

    @Test
    void releaseNeedsANameARevisionAndAStoredLock() throws Exception {
        assertThat(context.getBean(LockClient.class).tryAcquire(REQUEST)).isPresent();

        assertThat(send("DELETE", "/locks?name=" + NAME).statusCode()).isEqualTo(400);
        assertThat(send("DELETE", "/locks?revision=1").statusCode()).isEqualTo(400);
        assertThat(send("DELETE", "/locks?name=&revision=1").statusCode()).isEqualTo(400);
        assertThat(send("DELETE", "/locks?name=unused&revision=1").statusCode()).isEqualTo(404);
        assertThat(application.isHeld()).isTrue();
    }

    @Test
    void listTakesParametersAndRefusesThoseOutOfBounds() throws Exception {
        assertThat(context.getBean(LockClient.class).tryAcquire(REQUEST)).isPresent();

        assertThat(only(send("GET", "/locks?prefix=invoice&heldOnly=true&limit=10")))
                .containsEntry("name", NAME);
        assertThat(locksOf(send("GET", "/locks?name=unused"))).isEmpty();
        assertThat(send("GET", "/locks?limit=0").statusCode()).isEqualTo(400);
        assertThat(send("GET", "/locks?name=").statusCode()).isEqualTo(400);
        assertThat(send("GET", "/locks?name=" + "x".repeat(600)).statusCode()).isEqualTo(400);
    }

    @Test
    @Tag("finds:endpoint-names")
    void beanOfJmxTakesTheSameParameters() throws Exception {
        String name = "a/b\\c";
        LockClient locks = context.getBean(LockClient.class);
        assertThat(locks.tryAcquire(LockRequest.of(name, REQUEST.ttl()).fixedLease()))
                .isPresent();
        MBeanServer server = context.getBean(MBeanServer.class);
        ObjectName bean = new ObjectName("org.springframework.boot:type=Endpoint,name=Locks");
        String text = String.class.getName();

        Object page = server.invoke(bean, "list", new Object[] {name, null, null, null, null, null}, new String[] {
            text, text, Boolean.class.getName(), text, text, Integer.class.getName()
        });
        long revision = locks.inspect(name).orElseThrow().revision();
        Object release = server.invoke(
                bean, "release", new Object[] {name, revision}, new String[] {text, Long.class.getName()});

        assertThat(page).asString().contains("name=" + name, "revision=" + revision);
        assertThat(release).asString().contains("released=true");
    }

    @Test
    void healthHasTheLockClient() throws Exception {
        assertThat(send("GET", "/health").body()).contains("\"mongoLocks\"", "\"strategy\":\"insert-unique\"");
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        String port = context.getEnvironment().getProperty("local.server.port");
        return http.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator" + path))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    private static Map<String, Object> only(HttpResponse<String> response) {
        List<Map<String, Object>> locks = locksOf(response);
        assertThat(locks).hasSize(1);
        return locks.get(0);
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> locksOf(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        Object locks =
                JsonParserFactory.getJsonParser().parseMap(response.body()).get("locks");
        return (List<Map<String, Object>>) locks;
    }

    /** An application that has nothing but its dependencies, and the firewall. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Filter firewall() {
            StrictHttpFirewall firewall = new StrictHttpFirewall();
            return (request, response, chain) ->
                    chain.doFilter(firewall.getFirewalledRequest((HttpServletRequest) request), response);
        }
    }
}
