package dev.fairlead.testkit.lying;

import java.util.ArrayList;
import java.util.List;

/** Corrupts a text that a backend answers, as may happen on its way. */
public enum Corruption {
    NOTHING {
        @Override
        public String of(String text) {
            return "";
        }
    },
    FIRST_HALF {
        @Override
        public String of(String text) {
            return text.substring(0, text.length() / 2);
        }
    },
    WITHOUT_LAST_CHARACTER {
        @Override
        public String of(String text) {
            return text.isEmpty() ? "" : text.substring(0, text.length() - 1);
        }
    },
    SECOND_HALF {
        @Override
        public String of(String text) {
            return text.substring(text.length() / 2);
        }
    },
    TWICE {
        @Override
        public String of(String text) {
            return text + text;
        }
    },
    HTML {
        @Override
        public String of(String text) {
            return "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";
        }
    },
    LOGIN_BANNER_FIRST {
        @Override
        public String of(String text) {
            return "*** Authorised users only ***\nLast login: Fri Jan  2 03:04:05 2026\n" + text;
        }
    },
    WARNING_LAST {
        @Override
        public String of(String text) {
            return text + "\nwarning: locale C.UTF-8 is not supported\n";
        }
    },
    OTHER_JSON {
        @Override
        public String of(String text) {
            return "{\"error\": 22, \"reason\": \"busy\"}";
        }
    },
    EMPTY_LIST {
        @Override
        public String of(String text) {
            return "[]";
        }
    },
    NULL_JSON {
        @Override
        public String of(String text) {
            return "null";
        }
    },
    NUL_BYTES {
        @Override
        public String of(String text) {
            return text.replaceAll("[0-9]", "\0");
        }
    },
    CARRIAGE_RETURNS {
        @Override
        public String of(String text) {
            return text.replace("\n", "\r\n");
        }
    };

    /** Returns what arrives instead of this text. */
    public abstract String of(String text);

    /** Returns every text that this one can be cut short to, from the empty one to all but the last character. */
    public static List<String> cuts(String text) {
        List<String> cuts = new ArrayList<>();
        for (int length = 0; length < text.length(); length++) {
            cuts.add(text.substring(0, length));
        }
        return cuts;
    }
}
