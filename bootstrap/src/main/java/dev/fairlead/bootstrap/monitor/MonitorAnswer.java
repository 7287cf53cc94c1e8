package dev.fairlead.bootstrap.monitor;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Holds an answer to a caller. */
final class MonitorAnswer {
    static final String TEXT = "text/plain; charset=utf-8";
    static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final int status;
    private final String type;
    private final byte[] body;

    MonitorAnswer(int status, String type, String body) {
        this.status = status;
        this.type = type;
        this.body = body.getBytes(StandardCharsets.UTF_8);
    }

    static MonitorAnswer of(Health.Report report) {
        String text = (report.good() ? "ok\n" : "not ok\n") + String.join("\n", report.lines()) + "\n";
        return new MonitorAnswer(report.good() ? 200 : 503, TEXT, text);
    }

    /** Returns the whole answer, as it is sent. */
    byte[] whole() {
        byte[] head = withoutBody();
        byte[] whole = Arrays.copyOf(head, head.length + body.length);
        System.arraycopy(body, 0, whole, head.length, body.length);
        return whole;
    }

    /** Returns its head, which is the answer to a HEAD request. */
    byte[] withoutBody() {
        String text = "HTTP/1.1 " + status + " " + reason() + "\r\nContent-Type: " + type
                + "\r\nCache-Control: no-store\r\nConnection: close\r\nContent-Length: " + body.length + "\r\n\r\n";
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private String reason() {
        return switch (status) {
            case 200 -> "OK";
            case 400 -> "Bad Request";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 431 -> "Request Header Fields Too Large";
            case 503 -> "Service Unavailable";
            default -> "Internal Server Error";
        };
    }
}
