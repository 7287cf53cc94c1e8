package dev.fairlead.zfs.property;

import dev.fairlead.application.config.Suggestion;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lists the native properties that may be changed on a volume in use, and their values as in zfsprops(7) of OpenZFS
 * 2.1. None of them moves, hides or unmounts data; a new value holds for what is written from then on.
 */
public enum MutableProperty {
    COMPRESSION(
            "off|on|lz4|lzjb|zle|gzip(-[1-9])?|zstd(-[1-9]|-1[0-9])?|zstd-fast(-([1-9]|[1-9]0|100|500|1000))?",
            "off, on, lz4, lzjb, zle, gzip, gzip-1 to gzip-9, zstd, zstd-1 to zstd-19, or zstd-fast with or without"
                    + " -1 to -10, -20, -30 to -100, -500, -1000") {
        @Override
        Optional<String> canonical(String value) {
            return super.canonical(value).map(level -> USUAL_LEVEL.getOrDefault(level, level));
        }
    },
    RECORDSIZE("([0-9]{1,7})([KkMm]?)", "a power of two from 512 to 1M") {
        @Override
        Optional<String> canonical(String value) {
            Matcher size = form().matcher(value);
            if (!size.matches()) {
                return Optional.empty();
            }
            int unit = switch (size.group(2).toUpperCase(Locale.ROOT)) {
                case "K" -> 10;
                case "M" -> 20;
                default -> 0;
            };
            long bytes = Long.parseLong(size.group(1)) << unit;
            boolean fits = bytes >= 512 && bytes <= LARGEST_RECORD && Long.bitCount(bytes) == 1;
            return fits ? Optional.of(Long.toString(bytes)) : Optional.empty();
        }

        @Override
        boolean isOf(VolumeMedium.Kind kind) {
            return kind == VolumeMedium.Kind.FILESYSTEM;
        }
    },
    SYNC("standard|always|disabled"),
    ATIME("on|off") {
        @Override
        boolean isOf(VolumeMedium.Kind kind) {
            return kind == VolumeMedium.Kind.FILESYSTEM;
        }
    },
    LOGBIAS("latency|throughput"),
    PRIMARYCACHE("all|metadata|none"),
    SECONDARYCACHE("all|metadata|none");

    /** The values that {@code zfs get} shows by shorter names. */
    private static final Map<String, String> USUAL_LEVEL = Map.of("gzip-6", "gzip", "zstd-fast-1", "zstd-fast");

    private static final long LARGEST_RECORD = 1L << 20;

    private final Pattern form;
    private final String expected;

    MutableProperty(String words) {
        this(words, words.replace("|", ", "));
    }

    MutableProperty(String form, String expected) {
        this.form = Pattern.compile(form);
        this.expected = expected;
    }

    Pattern form() {
        return form;
    }

    /** Returns the name that ZFS and a VolumeAttributesClass have for it. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns a value as {@code zfs get -p} shows it; empty if ZFS does not take it. */
    Optional<String> canonical(String value) {
        return form.matcher(value).matches() ? Optional.of(value) : Optional.empty();
    }

    boolean isOf(VolumeMedium.Kind kind) {
        return true;
    }

    /** Returns the names of the properties that volumes of this kind have. */
    public static Set<String> keys(VolumeMedium.Kind kind) {
        Set<String> keys = new TreeSet<>();
        for (MutableProperty property : values()) {
            if (property.isOf(kind)) {
                keys.add(property.key());
            }
        }
        return keys;
    }

    /**
     * Returns parameters as properties, each as it is read back, or reports everything that is wrong with them at once.
     */
    public static Map<String, String> read(Map<String, String> parameters, VolumeMedium.Kind kind) {
        return read(parameters, kind, keys(kind));
    }

    /**
     * Returns parameters as properties where only some of them can be set.
     *
     * @param settable some of {@link #keys}
     */
    public static Map<String, String> read(
            Map<String, String> parameters, VolumeMedium.Kind kind, Set<String> settable) {
        Map<String, String> properties = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        new TreeMap<>(parameters).forEach((key, value) -> {
            Optional<MutableProperty> property = Arrays.stream(values())
                    .filter(known -> known.key().equals(key))
                    .filter(known -> settable.contains(key) || !known.isOf(kind))
                    .findFirst();
            if (property.isEmpty()) {
                problems.add(unknown(key, settable));
            } else if (!property.get().isOf(kind)) {
                problems.add(key + " is of filesystems, and these volumes are block devices");
            } else {
                property.get()
                        .canonical(value)
                        .ifPresentOrElse(
                                text -> properties.put(key, text),
                                () -> problems.add(key + ": " + Excerpt.of(value) + " (expected: "
                                        + property.get().expected + ")"));
            }
        });
        if (!problems.isEmpty()) {
            throw new StorageException(new Failure.InvalidRequest("mutable_parameters", String.join("; ", problems)));
        }
        return properties;
    }

    private static String unknown(String key, Set<String> settable) {
        return Excerpt.of(key) + " cannot be changed ("
                + Suggestion.nearest(key, settable)
                        .map(near -> "did you mean " + near + "?")
                        .orElse("expected: one of " + settable)
                + ")";
    }
}
