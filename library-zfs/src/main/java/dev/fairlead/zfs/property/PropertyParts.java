package dev.fairlead.zfs.property;

import dev.fairlead.domain.access.Access;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/**
 * Spreads a long text over several properties, and joins it again. The API of TrueNAS takes at most 1,024 characters
 * for a user property, where ZFS itself has room for eight times as many.
 *
 * <p>The first part has the property's usual name, and begins with the number of parts and a checksum of the whole
 * text: {@code @3:1c291ca3:…}. The others have the names {@code ….2}, {@code ….3}. No text that is kept whole begins
 * so. Parts that a shorter text leaves behind say nothing.
 */
public final class PropertyParts {
    /** The greatest number of characters of a property that the API takes. */
    public static final int MOST_CHARACTERS = 1024;

    private static final int MOST_PARTS = 8;
    private static final List<String> LONG = List.of(OwnProperties.NOTES, OwnProperties.GRANTS);
    private static final Pattern FIRST = Pattern.compile("@([2-8]):([0-9a-f]{8}):(.*)", Pattern.DOTALL);
    private static final int HEAD = "@2:01234567:".length();

    /** The greatest number of characters of a text that can be spread, with room for pairs that are not torn apart. */
    public static final int MOST_IN_ALL = MOST_PARTS * (MOST_CHARACTERS - 1) - HEAD;

    /** Notes of which parts are missing or torn are lost; whom they let in is not known, so they let in nobody. */
    private static final String TORN_NOTES = OwnProperties.write(Map.of(Access.NOTE, "nodes"));

    private PropertyParts() {}

    /**
     * Returns the same properties, those of notes and grants in several parts if they are longer than the API takes. A
     * text that is too long for all parts stays whole; the storage refuses it.
     */
    public static Map<String, String> spread(Map<String, String> properties) {
        Map<String, String> all = new LinkedHashMap<>();
        properties.forEach((key, value) -> {
            if (LONG.contains(key) && value.length() > MOST_CHARACTERS && value.length() <= MOST_IN_ALL) {
                spread(key, value, all);
            } else {
                all.put(key, value);
            }
        });
        return all;
    }

    private static void spread(String key, String value, Map<String, String> into) {
        List<String> parts = new ArrayList<>();
        for (int from = 0; from < value.length(); ) {
            int room = MOST_CHARACTERS - (parts.isEmpty() ? HEAD : 0);
            int to = Math.min(value.length(), from + room);
            boolean tearsPair = to < value.length() && Character.isHighSurrogate(value.charAt(to - 1));
            parts.add(value.substring(from, tearsPair ? to - 1 : to));
            from = tearsPair ? to - 1 : to;
        }
        into.put(key, "@" + parts.size() + ":" + checksum(value) + ":" + parts.getFirst());
        for (int number = 2; number <= parts.size(); number++) {
            into.put(part(key, number), parts.get(number - 1));
        }
    }

    private static String part(String key, int number) {
        return key + "." + number;
    }

    /** Returns the names of the properties that hold the rest of a text; empty if the first part is all of it. */
    public static List<String> rest(String key, String first) {
        Matcher head = FIRST.matcher(first);
        return LONG.contains(key) && head.matches()
                ? IntStream.rangeClosed(2, Integer.parseInt(head.group(1)))
                        .mapToObj(number -> part(key, number))
                        .toList()
                : List.of();
    }

    /** Returns the same properties, with texts that are spread put together under their usual names. */
    static Map<String, String> joined(Map<String, String> properties) {
        if (LONG.stream().noneMatch(key -> properties.getOrDefault(key, "").startsWith("@"))) {
            return properties;
        }
        Map<String, String> all = new HashMap<>(properties);
        for (String key : LONG) {
            Matcher head = FIRST.matcher(properties.getOrDefault(key, ""));
            if (head.matches()) {
                all.put(key, joined(key, head, properties).orElse(key.equals(OwnProperties.NOTES) ? TORN_NOTES : ""));
            }
        }
        return all;
    }

    private static Optional<String> joined(String key, Matcher head, Map<String, String> properties) {
        var text = new StringBuilder(head.group(3));
        rest(key, head.group()).forEach(part -> text.append(properties.getOrDefault(part, "")));
        return Optional.of(text.toString()).filter(all -> checksum(all).equals(head.group(2)));
    }

    private static String checksum(String text) {
        var checksum = new CRC32();
        checksum.update(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits((int) checksum.getValue());
    }
}
