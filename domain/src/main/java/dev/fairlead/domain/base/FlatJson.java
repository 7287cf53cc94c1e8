package dev.fairlead.domain.base;

import java.nio.CharBuffer;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads and writes a JSON object whose values are all strings, such as a volume's record. It is strict, and an object
 * that it writes reads back the same.
 */
public final class FlatJson {
    private final CharBuffer rest;

    private FlatJson(String text) {
        this.rest = CharBuffer.wrap(text);
    }

    /** Writes an object, which ends with a line break. */
    public static String format(SortedMap<String, String> fields) {
        StringBuilder out = new StringBuilder("{");
        fields.forEach((key, value) -> {
            out.append(out.length() > 1 ? ",\n  " : "\n  ");
            quote(key, out);
            out.append(": ");
            quote(value, out);
        });
        return out.append("\n}\n").toString();
    }

    private static void quote(String value, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20 || c == 0x7F || Character.isSurrogate(c)) {
                out.append("\\u%04x".formatted((int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    /** @throws IllegalArgumentException for anything but one such object */
    public static SortedMap<String, String> parse(String text) {
        FlatJson json = new FlatJson(text);
        SortedMap<String, String> fields = json.object();
        json.blanks();
        json.check(!json.rest.hasRemaining());
        return fields;
    }

    private SortedMap<String, String> object() {
        SortedMap<String, String> fields = new TreeMap<>();
        expect('{');
        blanks();
        if (peek() == '}') {
            next();
            return fields;
        }
        while (true) {
            String key = string();
            expect(':');
            check(fields.put(key, string()) == null);
            blanks();
            if (peek() == '}') {
                next();
                return fields;
            }
            expect(',');
        }
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return out.toString();
            }
            check(c >= 0x20);
            out.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw malformed();
        };
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(next(), 16);
            check(digit >= 0);
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private void expect(char wanted) {
        blanks();
        check(next() == wanted);
    }

    private void blanks() {
        while (rest.hasRemaining() && " \t\r\n".indexOf(rest.charAt(0)) >= 0) {
            rest.get();
        }
    }

    private char peek() {
        check(rest.hasRemaining());
        return rest.charAt(0);
    }

    private char next() {
        check(rest.hasRemaining());
        return rest.get();
    }

    private void check(boolean holds) {
        if (!holds) {
            throw malformed();
        }
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException("not an object of strings, at character " + rest.position());
    }
}
