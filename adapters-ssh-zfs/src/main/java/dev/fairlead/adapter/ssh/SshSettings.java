package dev.fairlead.adapter.ssh;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Describes how a storage host is reached over SSH: the connection file's {@code sshConnection}, with the keys that
 * democratic-csi hands to its client.
 *
 * @param algorithms by their SSH names, for {@code kex}, {@code cipher}, {@code hmac} and {@code serverHostKey}; the
 *     library's defaults for a kind that is missing
 * @param channels how many programs run on the one session at once; OpenSSH allows ten
 */
public record SshSettings(
        String host,
        int port,
        String username,
        Credentials credentials,
        HostKeyTrust trust,
        Timing timing,
        AddressFamily family,
        Map<String, List<String>> algorithms,
        int channels) {
    private static final int USUAL_CHANNELS = 8;
    private static final String USER = "expected: the user as whom the storage host is entered";
    private static final String KEY = "expected: a key as ssh-keygen writes it, from -----BEGIN to -----END";

    private static final String HOST_KEY =
            "expected: what ssh-keyscan prints after the name, such as ssh-ed25519 AAAA…";

    public SshSettings {
        algorithms = Map.copyOf(algorithms);
    }

    /**
     * Holds the credentials with which Fairlead logs in; a private key is tried before a password.
     *
     * @param keyboard whether the password is also given to a server that asks for it by {@code keyboard-interactive}
     */
    public record Credentials(
            Optional<Secret> password, Optional<Secret> privateKey, Optional<Secret> passphrase, boolean keyboard) {}

    /**
     * Holds what decides which hosts are trusted.
     *
     * @param hostKeys public keys of this host, each as in {@code known_hosts} without the name
     * @param knownHosts lines of a {@code known_hosts} file, or its path
     * @param strict whether a host is refused if no key is known for it
     */
    public record HostKeyTrust(List<String> hostKeys, Optional<String> knownHosts, boolean strict) {
        public HostKeyTrust {
            hostKeys = List.copyOf(hostKeys);
        }

        boolean knowsAnything() {
            return !hostKeys.isEmpty() || knownHosts.isPresent();
        }
    }

    /**
     * @param ready the longest time from the first packet to the end of the login
     * @param keepalive the interval between two keepalive requests; zero for none
     * @param missed how many unanswered keepalive requests end the session
     */
    public record Timing(Duration ready, Duration keepalive, int missed) {}

    /** Selects the addresses of a host that are used. */
    public enum AddressFamily {
        ANY,
        IPV4,
        IPV6
    }

    /** Reads the blocks {@code sshConnection} and {@code fairlead} of a connection file. */
    public static SshSettings read(ConfigNode file) {
        ConfigNode node = file.child("sshConnection");
        ConfigNode own = file.strictChild("fairlead");
        refuseAgent(node);
        // The other keys that democratic-csi's client knows set up its log, or something that a file cannot
        // configure.
        node.ignore("debug", "strictVendor", "compress", "hostHash", "hostVerifier", "localHostname", "localUsername");
        HostKeyTrust trust = trust(node, own);
        return new SshSettings(
                node.require("host", "expected: the name or address of the storage host"),
                node.integer("port", 22, 1, 65_535),
                node.require("username", SshSettings::present, "", USER),
                credentials(node),
                trust,
                new Timing(
                        Duration.ofMillis(node.integer("readyTimeout", 20_000, 100, 600_000)),
                        Duration.ofMillis(node.integer("keepaliveInterval", 10_000, 0, 600_000)),
                        node.integer("keepaliveCountMax", 3, 1, 100)),
                family(node),
                algorithms(node.child("algorithms")),
                own.child("ssh").integer("channels", USUAL_CHANNELS, 1, 1_000));
    }

    private static String present(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("is empty");
        }
        return text;
    }

    private static Credentials credentials(ConfigNode node) {
        Optional<Secret> key =
                node.secret("privateKey").filter(secret -> !secret.reveal().isBlank());
        Optional<Secret> password =
                node.secret("password").filter(secret -> !secret.reveal().isEmpty());
        if (key.filter(secret -> !secret.reveal().contains("-----BEGIN ")).isPresent()) {
            node.problems().error(node.pathOf("privateKey"), node.lineOf("privateKey"), "is no private key", KEY);
        }
        if (key.isEmpty() && password.isEmpty()) {
            node.problems().error(node.path(), node.line(), "has no credentials", "add privateKey or password");
        }
        return new Credentials(password, key, node.secret("passphrase"), node.bool("tryKeyboard", true));
    }

    private static void refuseAgent(ConfigNode node) {
        if (node.has("agent")) {
            node.problems()
                    .error(
                            node.pathOf("agent"),
                            node.lineOf("agent"),
                            "is not supported",
                            "give the key as privateKey");
        }
    }

    private static HostKeyTrust trust(ConfigNode node, ConfigNode own) {
        List<String> keys =
                node.optional("hostKey", SshSettings::hostKeys, HOST_KEY).orElse(List.of());
        HostKeyTrust trust = new HostKeyTrust(keys, node.string("knownHosts"), own.bool("strictHostKeys", false));
        if (trust.strict() && !trust.knowsAnything()) {
            own.problems()
                    .error(
                            own.pathOf("strictHostKeys"),
                            own.lineOf("strictHostKeys"),
                            "leaves no host that would be believed",
                            "add sshConnection.hostKey or sshConnection.knownHosts");
        }
        return trust;
    }

    /**
     * Returns the keys of the lines. A blank text is refused: it was meant to be filled in, and without a key any host
     * would be trusted.
     */
    private static List<String> hostKeys(String text) {
        List<String> keys =
                text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("is empty");
        }
        if (!keys.stream().allMatch(key -> key.matches("[a-z0-9@.-]+ [A-Za-z0-9+/=]+( .*)?"))) {
            throw new IllegalArgumentException("is no public key of a host");
        }
        return keys;
    }

    private static AddressFamily family(ConfigNode node) {
        boolean four = node.bool("forceIPv4", false);
        boolean six = node.bool("forceIPv6", false);
        if (four && six) {
            node.problems()
                    .error(node.pathOf("forceIPv6"), node.lineOf("forceIPv6"), "contradicts forceIPv4", "keep one");
        }
        if (four) {
            return AddressFamily.IPV4;
        }
        return six ? AddressFamily.IPV6 : AddressFamily.ANY;
    }

    private static Map<String, List<String>> algorithms(ConfigNode node) {
        node.ignore("compress");
        Map<String, List<String>> named = new java.util.HashMap<>();
        for (String kind : List.of("kex", "cipher", "hmac", "serverHostKey")) {
            List<String> names = node.strings(kind);
            if (!names.isEmpty()) {
                named.put(kind, names);
            }
        }
        return named;
    }
}
