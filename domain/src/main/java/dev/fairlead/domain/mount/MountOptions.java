package dev.fairlead.domain.mount;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Divides texts into mount options, as mount(8) does: a comma between double quotes belongs to its option, such as
 * {@code context="system_u:object_r:container_file_t:s0:c1,c2"}, which kubelet gives. The quotes stay. In what says who
 * logs in to a share they are characters like any other, since a password may have one.
 */
public final class MountOptions {
    private static final Pattern LOGIN =
            Pattern.compile("(?:pass(?:word)?2?|user(?:name)?|dom(?:ain)?)=", Pattern.CASE_INSENSITIVE);

    private MountOptions() {}

    /**
     * Divides a text; empty options are left out.
     *
     * @throws IllegalArgumentException if a quote is not closed; the message does not show the text, which may hold a
     *     password
     */
    public static List<String> split(String text) {
        List<String> options = new ArrayList<>();
        boolean quoted = false;
        boolean login = isLogin(text, 0);
        int start = 0;
        for (int at = 0; at <= text.length(); at++) {
            if (at < text.length() && text.charAt(at) == '"' && !login) {
                quoted = !quoted;
            } else if (at == text.length() || (text.charAt(at) == ',' && !quoted)) {
                if (at > start) {
                    options.add(text.substring(start, at));
                }
                start = at + 1;
                login = isLogin(text, start);
            }
        }
        if (quoted) {
            throw new IllegalArgumentException(
                    "has a double quote that no other closes (expected: quotes in pairs, such as"
                            + " context=\"system_u:object_r:container_file_t:s0:c1,c2\")");
        }
        return List.copyOf(options);
    }

    private static boolean isLogin(String text, int start) {
        return start < text.length()
                && LOGIN.matcher(text).region(start, text.length()).lookingAt();
    }

    /**
     * Divides the items of a list, each by itself: a quote that one opens is not closed by another.
     *
     * @param field where they come from, for the message
     * @throws StorageException {@code InvalidRequest} if a quote is not closed
     */
    public static List<String> of(String field, List<String> items) {
        try {
            return items.stream().flatMap(item -> split(item).stream()).toList();
        } catch (IllegalArgumentException e) {
            throw new StorageException(new Failure.InvalidRequest(field, String.valueOf(e.getMessage())), e);
        }
    }

    /**
     * Divides what the kernel shows of a mount. It writes quotes around a context that has a comma, and else none of
     * its own: those of a path stand as they are, so if they are no pairs then every comma divides.
     */
    public static List<String> shown(String text) {
        boolean pairs = text.chars().filter(it -> it == '"').count() % 2 == 0;
        return pairs
                ? split(text)
                : List.of(text.split(",", -1)).stream()
                        .filter(option -> !option.isEmpty())
                        .toList();
    }
}
