package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.application.config.Secret;
import dev.fairlead.domain.attachment.NvmeOption;
import dev.fairlead.domain.failure.Excerpt;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Holds the options of a connection, by the kernel's names. Each is checked, since the kernel takes all of them in one
 * text in which a comma begins the next.
 *
 * @param plain what is not secret
 * @param secrets the keys of DH-HMAC-CHAP
 */
record NvmeofOptions(Map<String, String> plain, Map<String, Secret> secrets) {
    static final String HOST_NQN = "hostnqn";
    static final String HOST_ID = "hostid";
    static final String HOST_ADDRESS = "host_traddr";
    static final String HOST_INTERFACE = "host_iface";
    static final String HOST_KEY = "dhchap_secret";
    static final String CONTROLLER_KEY = "dhchap_ctrl_secret";
    static final String TLS = "tls";

    private static final String KEYRING = "keyring";
    private static final String TLS_KEY = "tls_key";

    /**
     * The options that a connection has unless the volume says otherwise; all else is the kernel's choice. Half an hour
     * lets a storage host restart and be updated under a mounted file system, and ends before a node that is shut down
     * is thought to hang for good.
     */
    static final Map<String, String> USUAL = Map.of("ctrl_loss_tmo", "1800", "reconnect_delay", "5");

    /** The remedy for a key of TLS, which this node plugin does not put into the kernel. */
    static final String IMPORTED = "a TLS key is imported into the keyring .nvme of each node, with nvme-cli or keyctl,"
            + " and the volume's transport has ?tls=true";

    /** The form of a serial number, by which the kernel is told a key or a keyring; {@code keyctl} shows it. */
    private static final Pattern SERIAL = Pattern.compile("0x[0-9A-Fa-f]{1,8}|[1-9][0-9]{0,9}");

    private static final Pattern KEY = Pattern.compile("DHHC-1:0[0-3]:[A-Za-z0-9+/]{40,100}={0,2}:");
    private static final Pattern UUID = Pattern.compile("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");

    private static final Map<String, Pattern> FORMS = Map.ofEntries(
            Map.entry(HOST_ADDRESS, Pattern.compile("[0-9A-Za-z:.%_-]{2,80}")),
            Map.entry(HOST_INTERFACE, Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,14}")),
            Map.entry(KEYRING, SERIAL),
            Map.entry(TLS_KEY, SERIAL),
            Map.entry(HOST_NQN, NvmeofRequest.NQN),
            Map.entry(HOST_ID, UUID),
            Map.entry(HOST_KEY, KEY),
            Map.entry(CONTROLLER_KEY, KEY));
    private static final Set<String> FLAGS =
            Set.of("hdr_digest", "data_digest", "disable_sqflow", "duplicate_connect", TLS);
    private static final Set<String> SECRET = Set.of(HOST_KEY, CONTROLLER_KEY);

    /** The short options of nvme-cli, which a URI of democratic-csi may have. */
    private static final Map<String, String> SHORT = Map.ofEntries(
            Map.entry("w", HOST_ADDRESS),
            Map.entry("f", HOST_INTERFACE),
            Map.entry("i", "nr_io_queues"),
            Map.entry("W", "nr_write_queues"),
            Map.entry("P", "nr_poll_queues"),
            Map.entry("Q", "queue_size"),
            Map.entry("k", "keep_alive_tmo"),
            Map.entry("c", "reconnect_delay"),
            Map.entry("l", "ctrl_loss_tmo"),
            Map.entry("T", "tos"),
            Map.entry("q", HOST_NQN),
            Map.entry("I", HOST_ID),
            Map.entry("S", HOST_KEY),
            Map.entry("C", CONTROLLER_KEY),
            Map.entry("g", "hdr_digest"),
            Map.entry("G", "data_digest"),
            Map.entry("d", "disable_sqflow"),
            Map.entry("D", "duplicate_connect"));

    NvmeofOptions {
        plain = Map.copyOf(plain);
        secrets = Map.copyOf(secrets);
    }

    /**
     * Reads the options of a URI, which are spelled as those of {@code nvme connect}.
     *
     * @param field what has the URI, for the message
     */
    static NvmeofOptions read(String field, List<Map.Entry<String, String>> query) {
        Map<String, String> plain = new LinkedHashMap<>();
        Map<String, Secret> secrets = new LinkedHashMap<>();
        for (Map.Entry<String, String> each : query) {
            String name = name(each.getKey());
            String value = each.getValue();
            if (FLAGS.contains(name)) {
                if (flag(field, name, value)) {
                    plain.put(name, "");
                }
            } else if (SECRET.contains(name)) {
                lackOfKey(value).ifPresent(why -> {
                    throw NvmeofRequest.refused(field, "option " + name + " " + why);
                });
                secrets.put(name, new Secret(value));
            } else {
                plain.put(name, checked(field, name, value));
            }
        }
        return new NvmeofOptions(plain, secrets);
    }

    private static String name(String key) {
        String bare = key.replaceFirst("^-{1,2}", "");
        return bare.length() == 1
                ? SHORT.getOrDefault(bare, bare)
                : bare.replace('-', '_').toLowerCase(Locale.ROOT);
    }

    private static boolean flag(String field, String name, String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "", "1", "true", "on", "yes" -> true;
            case "0", "false", "off", "no" -> false;
            default ->
                throw NvmeofRequest.refused(
                        field, "option " + name + ": " + Excerpt.of(value) + " (expected: true or false)");
        };
    }

    private static String checked(String field, String name, String value) {
        Optional<NvmeOption> number = NvmeOption.of(name);
        if (number.isPresent()) {
            return number(field, number.get(), value);
        }
        Pattern form = FORMS.get(name);
        if (form == null) {
            Set<String> known = new TreeSet<>(FORMS.keySet());
            Stream.of(NvmeOption.values()).map(NvmeOption::key).forEach(known::add);
            known.addAll(FLAGS);
            throw NvmeofRequest.refused(
                    field,
                    "option " + Excerpt.of(name) + " is not one of a connection (expected: one of "
                            + String.join(", ", known) + ")");
        }
        if (form.equals(SERIAL) && !form.matcher(value).matches()) {
            // it may be the key itself, which no message shows
            throw NvmeofRequest.refused(
                    field,
                    "option " + name + " is no serial number (expected: such as 305419896 or 0x12345678, as keyctl"
                            + " shows it on the node; " + IMPORTED + ")");
        }
        if (!form.matcher(value).matches()) {
            throw NvmeofRequest.refused(
                    field, "option " + name + ": " + Excerpt.of(value) + " (expected: such as " + example(name) + ")");
        }
        return value;
    }

    private static String number(String field, NvmeOption option, String value) {
        try {
            return option.checked(value);
        } catch (IllegalArgumentException e) {
            throw NvmeofRequest.refused(field, "option " + option.key() + ": " + e.getMessage());
        }
    }

    private static String example(String name) {
        return switch (name) {
            case HOST_ADDRESS -> "10.0.0.2";
            case HOST_INTERFACE -> "eth0";
            case HOST_ID -> "a UUID";
            default -> "nqn.2014-08.org.nvmexpress:uuid:…";
        };
    }

    /** Returns why a text is no key of DH-HMAC-CHAP; empty if it is one. The answer does not show the text. */
    static Optional<String> lackOfKey(String text) {
        return KEY.matcher(text).matches()
                ? Optional.empty()
                : Optional.of("is no key of DH-HMAC-CHAP (expected: DHHC-1:00:…: as nvme gen-dhchap-key prints it)");
    }

    /** Returns these options with other keys in the place of their own, if there are others. */
    NvmeofOptions with(Map<String, Secret> others) {
        Map<String, Secret> all = new LinkedHashMap<>(secrets);
        all.putAll(others);
        return new NvmeofOptions(plain, all);
    }

    Optional<String> value(String name) {
        return Optional.ofNullable(plain.get(name));
    }

    /** Returns the names of all options, which the node's kernel has to know. */
    Set<String> names() {
        Set<String> names = new TreeSet<>(plain.keySet());
        names.addAll(secrets.keySet());
        return names;
    }

    /** Returns the options as the kernel reads them, the usual ones among them; a secret if there is one. */
    String text() {
        Map<String, String> all = new TreeMap<>(USUAL);
        all.putAll(plain);
        secrets.forEach((name, secret) -> all.put(name, secret.reveal()));
        List<String> words = new ArrayList<>();
        all.forEach((name, value) -> words.add(FLAGS.contains(name) ? name : name + "=" + value));
        return String.join(",", words);
    }
}
