package dev.fairlead.bootstrap.logging;

import java.util.HexFormat;

/** Writes texts as JSON strings. */
public final class JsonText {
    private static final HexFormat HEX = HexFormat.of();

    private JsonText() {}

    public static String quote(String text) {
        var quoted = new StringBuilder(text.length() + 2);
        quote(quoted, text);
        return quoted.toString();
    }

    static void quote(StringBuilder to, String text) {
        to.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> to.append("\\\"");
                case '\\' -> to.append("\\\\");
                case '\n' -> to.append("\\n");
                case '\r' -> to.append("\\r");
                case '\t' -> to.append("\\t");
                default -> {
                    if (c < 0x20 || (c >= 0x7F && c < 0xA0) || Character.isSurrogate(c)) {
                        to.append("\\u").append(HEX.toHexDigits(c));
                    } else {
                        to.append(c);
                    }
                }
            }
        }
        to.append('"');
    }
}
