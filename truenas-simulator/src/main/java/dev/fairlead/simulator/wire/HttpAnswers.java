package dev.fairlead.simulator.wire;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import dev.fairlead.simulator.failure.Fault;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Writes the answers of HTTP. */
final class HttpAnswers {
    private static final Gson INDENTED = new GsonBuilder()
            .serializeNulls()
            .disableHtmlEscaping()
            .setPrettyPrinting()
            .create();

    private HttpAnswers() {}

    static void json(Response response, Callback callback, int status, JsonElement body) {
        write(response, callback, status, "application/json; charset=utf-8", INDENTED.toJson(body));
    }

    static void text(Response response, Callback callback, int status, String body) {
        write(response, callback, status, "text/plain; charset=utf-8", body);
    }

    /** Writes what nginx writes in the box's stead. */
    static void html(Response response, Callback callback, int status) {
        String title = switch (status) {
            case 200 -> "TrueNAS";
            case 502 -> "502 Bad Gateway";
            case 504 -> "504 Gateway Time-out";
            default -> Integer.toString(status);
        };
        write(
                response,
                callback,
                status,
                "text/html",
                "<html>\r\n<head><title>" + title + "</title></head>\r\n<body>\r\n<center><h1>" + title
                        + "</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n");
    }

    static void redirect(Response response, Callback callback, int status, String location) {
        response.getHeaders().put(HttpHeader.LOCATION, location);
        html(response, callback, status);
    }

    /** Carries out an injury by HTTP. */
    static void injury(Fault.Injury injury, Request request, Response response, Callback callback) {
        switch (injury) {
            case Fault.Silent ignored -> {}
            case Fault.Page page -> html(response, callback, page.status());
            case Fault.Answer answer
            when answer.status() / 100 == 3 -> redirect(response, callback, answer.status(), answer.body());
            case Fault.Answer answer -> write(response, callback, answer.status(), kind(answer.body()), answer.body());
            default -> {
                request.getConnectionMetaData().getConnection().getEndPoint().close();
                callback.failed(new IllegalStateException("cut"));
            }
        }
    }

    private static String kind(String body) {
        return body.startsWith("{") || body.startsWith("[") ? "application/json; charset=utf-8" : "text/plain";
    }

    private static void write(Response response, Callback callback, int status, String type, String body) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        Content.Sink.write(response, true, body, callback);
    }
}
