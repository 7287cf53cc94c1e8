package dev.fairlead.bootstrap.monitor;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Holds the request of a caller.
 *
 * @param path without a query
 */
record MonitorRequest(String method, String path) {
    private static final Pattern LINE = Pattern.compile("([!-~]+) ([!->@-~]+)(?:\\?[!-~]*)? HTTP/1\\.[01]");

    /** Says that the head of a request is too long. */
    static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /**
     * Reads the head of a request; its header fields are ignored.
     *
     * @return empty if it is no request of HTTP/1.0 or 1.1
     */
    static Optional<MonitorRequest> read(HttpConnection connection, int longest) throws IOException {
        byte[] head = new byte[longest];
        int length = 0;
        while (length < longest) {
            int read = connection.read(head, length, longest - length);
            if (read < 0) {
                throw new EOFException("the caller left");
            }
            int from = Math.max(0, length - 3);
            length += read;
            if (ends(head, from, length)) {
                return parse(new String(head, 0, length, StandardCharsets.ISO_8859_1));
            }
        }
        throw new TooLongException();
    }

    private static boolean ends(byte[] head, int from, int length) {
        for (int i = from; i + 3 < length; i++) {
            if (head[i] == '\r' && head[i + 1] == '\n' && head[i + 2] == '\r' && head[i + 3] == '\n') {
                return true;
            }
        }
        return false;
    }

    private static Optional<MonitorRequest> parse(String head) {
        Matcher line = LINE.matcher(head.substring(0, head.indexOf("\r\n")));
        return line.matches() ? Optional.of(new MonitorRequest(line.group(1), line.group(2))) : Optional.empty();
    }
}
