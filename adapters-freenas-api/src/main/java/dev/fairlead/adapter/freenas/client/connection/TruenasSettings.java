package dev.fairlead.adapter.freenas.client.connection;

import dev.fairlead.adapter.freenas.client.session.TruenasLogin;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Secret;
import dev.fairlead.http.BasicLogin;
import dev.fairlead.http.BearerToken;
import dev.fairlead.http.Credential;
import dev.fairlead.http.HttpSettings;
import dev.fairlead.http.trust.CertificatePin;
import dev.fairlead.http.trust.Material;
import dev.fairlead.http.trust.Pem;
import dev.fairlead.http.trust.Trust;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Describes how a box is reached: the connection file's {@code httpConnection}, with democratic-csi's keys, and ours in
 * {@code fairlead.http}. Connections with equal settings share one session.
 *
 * @param server the box's address, without a path
 */
public record TruenasSettings(URI server, TruenasLogin login, Trust trust) {
    private static final String AGENT = "fairlead";

    /** The longest answer that is read, inflated: one of tens of thousands of volumes is shorter. */
    private static final int MAX_BYTES = 1 << 24;

    private static final int MOST_PORTS = 65_535;
    private static final String HOST = "[A-Za-z0-9._-]+|\\[?[0-9A-Fa-f:.]+(%[A-Za-z0-9]+)?]?";
    private static final String KEY = "[0-9]+-[\\x21-\\x7E]+";
    private static final URI NOWHERE = URI.create("https://localhost/");

    /** Reads the settings; every problem goes to the node's problems. */
    public static TruenasSettings read(ConfigNode file) {
        ConfigNode node = file.child("httpConnection");
        ConfigNode own = file.strictChild("fairlead").child("http");
        if (node.has("apiVersion") && node.integer("apiVersion", 2, 1, 2) == 1) {
            node.problems()
                    .warning(
                            node.pathOf("apiVersion"),
                            node.lineOf("apiVersion"),
                            "1 is not used",
                            "remove it; the box is asked what it speaks");
        }
        return new TruenasSettings(server(node, own), login(node), trust(node, own));
    }

    private static URI server(ConfigNode node, ConfigNode own) {
        String host = node.require("host", TruenasSettings::host, "", "expected: the box's name or address");
        boolean hasPort = node.has("port");
        int port = node.integer("port", -1, 1, MOST_PORTS);
        String guessed = hasPort && Integer.toString(port).contains("80") ? "http" : "https";
        String scheme = node.optional("protocol", TruenasSettings::protocol, "expected: https, or http")
                .orElse(guessed);
        boolean plain = own.bool("plainText", false);
        if (scheme.equals("http") && !plain) {
            node.problems()
                    .error(
                            node.pathOf(node.has("protocol") ? "protocol" : "port"),
                            node.lineOf(node.has("protocol") ? "protocol" : "port"),
                            "would send the credential in plain text",
                            "use https, and no port 80; if there is no way to, set fairlead.http.plainText to true");
        }
        if (host.isEmpty()) {
            return NOWHERE;
        }
        try {
            return new URI(scheme, null, host, hasPort ? port : -1, "/", null, null);
        } catch (URISyntaxException _) {
            node.problems()
                    .error(node.pathOf("host"), node.lineOf("host"), "is no host", "expected: a name or address");
            return NOWHERE;
        }
    }

    private static String host(String text) {
        if (!text.matches(HOST)) {
            throw new IllegalArgumentException("is no host");
        }
        return text.startsWith("[") ? text.substring(1, text.length() - 1) : text;
    }

    private static String protocol(String text) {
        if (!text.equals("http") && !text.equals("https")) {
            throw new IllegalArgumentException("'" + text + "' is no protocol of a box");
        }
        return text;
    }

    private static TruenasLogin login(ConfigNode node) {
        Optional<Secret> key = node.secret("apiKey")
                .map(secret -> new Secret(secret.reveal().strip()))
                .filter(secret -> !secret.reveal().isEmpty());
        Optional<Secret> password =
                node.secret("password").filter(secret -> !secret.reveal().isEmpty());
        Optional<String> username = node.optional("username", TruenasSettings::username, "expected: a user's name")
                .filter(name -> !name.isEmpty());
        if (key.filter(secret -> !secret.reveal().matches(KEY)).isPresent()) {
            node.problems()
                    .error(
                            node.pathOf("apiKey"),
                            node.lineOf("apiKey"),
                            "is no API key",
                            "expected: the key as the box showed it once: a number, a dash, and 64 characters");
        }
        if (key.isEmpty() && password.isEmpty()) {
            node.problems()
                    .error(node.path(), node.line(), "has no credentials", "add apiKey, or username and password");
        }
        if (key.isEmpty() && password.isPresent() && username.isEmpty()) {
            node.problems().error(node.pathOf("username"), node.line(), "is missing", "add the user of the password");
        }
        return new TruenasLogin(username, key, key.isPresent() ? Optional.empty() : password);
    }

    private static String username(String text) {
        if (text.indexOf(':') >= 0 || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("is no user's name");
        }
        return text.strip();
    }

    private static Trust trust(ConfigNode node, ConfigNode own) {
        boolean anything = node.bool("allowInsecure", false);
        Set<CertificatePin> pins = pins(own);
        Optional<Material> roots =
                own.optional("ca", TruenasSettings::roots, "expected: certificates in PEM, or a path");
        if (anything && !(pins.isEmpty() && roots.isEmpty())) {
            node.problems()
                    .error(
                            node.pathOf("allowInsecure"),
                            node.lineOf("allowInsecure"),
                            "leaves it open whom to believe",
                            "remove it: fairlead.http says whom");
        }
        if (!pins.isEmpty()) {
            return new Trust.Pins(pins);
        }
        if (roots.isPresent()) {
            return new Trust.Roots(roots.get());
        }
        return anything ? new Trust.Anything() : new Trust.SystemRoots();
    }

    private static Set<CertificatePin> pins(ConfigNode own) {
        Set<CertificatePin> pins = new HashSet<>();
        List<String> texts = own.has("fingerprints") ? own.strings("fingerprints") : List.of();
        for (String text : texts) {
            try {
                pins.add(CertificatePin.parse(text));
            } catch (IllegalArgumentException e) {
                own.problems()
                        .error(
                                own.pathOf("fingerprints"),
                                own.lineOf("fingerprints"),
                                String.valueOf(e.getMessage()),
                                "expected: what openssl x509 -fingerprint -sha256 prints");
            }
        }
        return pins;
    }

    private static Material roots(String text) {
        if (!text.contains("-----BEGIN ")) {
            return new Material.InFile(Path.of(text));
        }
        try {
            Pem.certificates(text);
            return new Material.Inline(new Secret(text));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("holds no certificate that can be read", e);
        }
    }

    boolean isPlain() {
        return "http".equals(server.getScheme());
    }

    /** Returns the settings for requests that bear the credential. */
    HttpSettings http() {
        Optional<Credential> credential = login.apiKey().isPresent()
                ? login.apiKey().map(key -> new BearerToken(new Material.Inline(key), "httpConnection.apiKey"))
                : login.password()
                        .map(password -> new BasicLogin(login.username().orElse(""), password));
        return new HttpSettings(server, trust, Optional.empty(), credential, AGENT, MAX_BYTES);
    }

    /** Returns the settings for requests and sockets that show nobody who is asking. */
    HttpSettings anonymous() {
        return anonymous(MAX_BYTES);
    }

    /** Returns the same for shorter answers. */
    HttpSettings anonymous(int maxBytes) {
        return new HttpSettings(server, trust, Optional.empty(), Optional.empty(), AGENT, maxBytes);
    }
}
