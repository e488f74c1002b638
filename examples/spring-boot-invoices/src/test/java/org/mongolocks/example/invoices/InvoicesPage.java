package org.mongolocks.example.invoices;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.mongolocks.example.invoices.Invoices.Invoice;
import org.mongolocks.example.invoices.StatusController.Status;
import tools.jackson.databind.json.JsonMapper;

/** The page of an instance, as a browser uses it. */
record InvoicesPage(String url) {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final JsonMapper JSON = JsonMapper.builder().build();

    Status status() throws IOException, InterruptedException {
        return JSON.readValue(send(request("api/status").GET().build()).body(), Status.class);
    }

    String html() throws IOException, InterruptedException {
        return send(request("").GET().build()).body();
    }

    void add() throws IOException, InterruptedException {
        send(request("api/invoices").POST(BodyPublishers.noBody()).build());
    }

    boolean replies() throws InterruptedException {
        try {
            return !status().instance().isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns whether there are that many invoices, and each is billed. */
    boolean hasBilled(int count) throws IOException, InterruptedException {
        Status status = status();
        return status.invoices().size() == count
                && status.invoices().stream().allMatch(invoice -> invoice.charges() > 0);
    }

    Map<String, Invoice> invoices() throws IOException, InterruptedException {
        return status().invoices().stream().collect(Collectors.toMap(Invoice::id, Function.identity()));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path));
    }

    private static HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(request + " got " + response.statusCode() + ": " + response.body());
        }
        return response;
    }
}
