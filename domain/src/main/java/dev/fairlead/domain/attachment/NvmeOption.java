package dev.fairlead.domain.attachment;

import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lists the options of an NVMe-oF connection that are numbers, by the kernel's names and with the bounds that Linux has
 * for them.
 */
public enum NvmeOption {
    CTRL_LOSS_TMO(-1, NvmeOption.MOST),
    RECONNECT_DELAY(1, NvmeOption.MOST),
    FAST_IO_FAIL_TMO(-1, NvmeOption.MOST),
    KEEP_ALIVE_TMO(0, NvmeOption.MOST_KEEP_ALIVE),
    NR_IO_QUEUES(1, 65_535),
    NR_WRITE_QUEUES(1, 65_535),
    NR_POLL_QUEUES(1, 65_535),
    QUEUE_SIZE(16, 1024),
    TOS(0, 255);

    /** The prefix of those parameters of a class that are such options. */
    private static final String PREFIX = "nvmeof.";

    private static final int MOST = 9_999_999;

    /** The number of seconds that are told to the target as milliseconds in 32 bits. */
    private static final int MOST_KEEP_ALIVE = 4_294_967;

    private final int least;
    private final int most;

    NvmeOption(int least, int most) {
        this.least = least;
        this.most = most;
    }

    /** Returns the kernel's name. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the option of a name that is spelled by the kernel or by {@code nvme connect}. */
    public static Optional<NvmeOption> of(String name) {
        String key = name.replaceFirst("^-{1,2}", "").replace('-', '_').toLowerCase(Locale.ROOT);
        return Stream.of(values()).filter(option -> option.key().equals(key)).findFirst();
    }

    /**
     * Returns a value of this option.
     *
     * @throws IllegalArgumentException if it is none
     */
    public String checked(String value) {
        boolean fits = value.matches("0|-?[1-9][0-9]{0,6}")
                && Integer.parseInt(value) >= least
                && Integer.parseInt(value) <= most;
        if (!fits) {
            throw new IllegalArgumentException(
                    Excerpt.of(value) + " (expected: a whole number from " + least + " to " + most + ")");
        }
        return value;
    }

    private String checked(String key, String value) {
        try {
            return checked(value);
        } catch (IllegalArgumentException e) {
            throw new StorageException(
                    new Failure.InvalidRequest("parameters", key + ": " + e.getMessage() + "; mend the StorageClass"),
                    e);
        }
    }

    /** Returns the keys of a class that are such options. */
    public static Set<String> classKeys() {
        return Stream.of(values()).map(option -> PREFIX + option.key()).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Returns the options that a class gives to its volumes.
     *
     * @param parameters of the class, without scopes
     * @throws StorageException {@code InvalidRequest}
     */
    public static Map<NvmeOption, String> ofClass(Map<String, String> parameters) {
        Map<NvmeOption, String> options = new EnumMap<>(NvmeOption.class);
        parameters.forEach((key, value) -> {
            if (key.startsWith(PREFIX)) {
                NvmeOption option = named(key);
                options.put(option, option.checked(key, value));
            }
        });
        return options;
    }

    private static NvmeOption named(String key) {
        return Stream.of(values())
                .filter(option -> key.equals(PREFIX + option.key()))
                .findFirst()
                .orElseThrow(() -> new StorageException(new Failure.InvalidRequest(
                        "parameters",
                        Excerpt.of(key) + " is no option of a connection (expected: one of "
                                + String.join(", ", classKeys()) + "); mend the StorageClass")));
    }

    /**
     * Returns a way to a subsystem with this option in the place of its own.
     *
     * @param way a URI such as {@code tcp://10.0.0.1:4420?host-iface=eth0}
     */
    String in(String way, String value) {
        int mark = way.indexOf('?');
        String bare = mark < 0 ? way : way.substring(0, mark);
        String others = mark < 0
                ? ""
                : Stream.of(way.substring(mark + 1).split("&", -1))
                        .filter(part -> !part.isEmpty()
                                && of(part.replaceFirst("=.*", ""))
                                        .filter(this::equals)
                                        .isEmpty())
                        .map(part -> part + "&")
                        .collect(Collectors.joining());
        return bare + "?" + others + spelled() + "=" + value;
    }

    /** Returns the name as {@code nvme connect} has it, by which democratic-csi would give it on. */
    private String spelled() {
        return this == FAST_IO_FAIL_TMO ? key() : key().replace('_', '-');
    }
}
