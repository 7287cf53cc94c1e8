package dev.fairlead.lab.affinity;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.lab.LoopbackApi;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Asks the API server as its administrator, without any code of Fairlead's. */
final class AdminCalls {
    private final URI server;
    private final HttpClient http;

    AdminCalls(LoopbackApi api) throws IOException, GeneralSecurityException {
        this.server = api.address();
        this.http = client(api);
    }

    /** Makes a client that knows the server's certificate. */
    static HttpClient client(LoopbackApi api) throws IOException, GeneralSecurityException {
        KeyStore known = KeyStore.getInstance(KeyStore.getDefaultType());
        known.load(null, null);
        try (InputStream in = Files.newInputStream(api.certificate())) {
            int at = 0;
            for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                known.setCertificateEntry("server-" + at++, one);
            }
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(known);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder()
                .sslContext(tls)
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(20))
                .build();
    }

    JsonObject get(String path) throws IOException, InterruptedException {
        return asked("GET", path, "");
    }

    /** Returns the objects of a list, as the server tells them. */
    List<JsonObject> list(String path) throws IOException, InterruptedException {
        return get(path).getAsJsonArray("items").asList().stream()
                .map(item -> item.getAsJsonObject())
                .toList();
    }

    JsonObject post(String path, JsonObject body) throws IOException, InterruptedException {
        return asked("POST", path, body.toString());
    }

    JsonObject merge(String path, String patch) throws IOException, InterruptedException {
        return asked("PATCH", path, patch);
    }

    /** Deletes an object if it is there. */
    void delete(String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request("DELETE", path, ""), BodyHandlers.ofString());
        if (answer.statusCode() >= 400 && answer.statusCode() != 404) {
            throw new IOException("DELETE " + path + ": " + answer.statusCode() + " " + answer.body());
        }
    }

    /** Opens a watch, whose lines come as long as it lasts. */
    InputStream watch(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server.resolve(path))
                .header("Authorization", "Bearer admin-token")
                .build();
        return http.send(request, BodyHandlers.ofInputStream()).body();
    }

    private JsonObject asked(String method, String path, String body) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request(method, path, body), BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IOException(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
        }
        return JsonParser.parseString(answer.body()).getAsJsonObject();
    }

    private HttpRequest request(String method, String path, String body) {
        String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
        return HttpRequest.newBuilder(server.resolve(path))
                .header("Authorization", "Bearer admin-token")
                .header("Content-Type", type)
                .timeout(Duration.ofSeconds(60))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
    }
}
