package dev.fairlead.adapter.linstor;

import dev.fairlead.adapter.linstor.client.TokenFile;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.config.Secret;
import dev.fairlead.http.BasicLogin;
import dev.fairlead.http.Credential;
import dev.fairlead.http.HttpSettings;
import dev.fairlead.http.trust.ClientCertificate;
import dev.fairlead.http.trust.Material;
import dev.fairlead.http.trust.Trust;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says how LINSTOR's controllers are reached, and as whom: by the variables that its own clients take.
 *
 * @param controllers of which one serves at a time
 * @param credential the token of a file, else a user and a password
 * @param namespace the namespace of the node properties that are labels; found out if it is empty
 * @param anywhereIsAllNodes whether a volume that can be used anywhere gets the nodes that have LINSTOR's label
 * @param agent the {@code User-Agent} of the requests
 */
public record LinstorSettings(
        List<URI> controllers,
        Optional<Credential> credential,
        Optional<ClientCertificate> certificate,
        Trust trust,
        Optional<String> namespace,
        boolean anywhereIsAllNodes,
        String agent) {
    private static final int PLAIN_PORT = 3370;
    private static final int TLS_PORT = 3371;

    /** The view of 10 000 replicas is about 7 MB. */
    private static final int MAX_BYTES = 64 << 20;

    private static final Pattern ADDRESS = Pattern.compile(
            "(?:(linstor|linstor\\+ssl|http|https)://)?(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?)(?::([0-9]{1,5}))?/?");

    private static final String CONTROLLERS = "LS_CONTROLLERS";
    private static final String USER = "LS_USERNAME";
    private static final String PASSWORD = "LS_PASSWORD";
    private static final String TOKEN_FILE = "LS_BEARER_TOKEN_FILE";
    private static final String CERTIFICATE = "LS_USER_CERTIFICATE";
    private static final String KEY = "LS_USER_KEY";
    private static final String ROOTS = "LS_ROOT_CA";
    private static final String FILE = "_FILE";

    public LinstorSettings {
        controllers = List.copyOf(controllers);
    }

    /**
     * Reads the variables {@code LS_*}.
     *
     * @param environment returns a variable's value, or an empty text
     * @return empty if something is wrong, which the problems then say
     */
    public static Optional<LinstorSettings> read(
            UnaryOperator<String> environment,
            Optional<String> namespace,
            boolean anywhereIsAllNodes,
            String agent,
            Problems problems) {
        Optional<Material> chain = material(environment, CERTIFICATE, problems);
        Optional<Material> key = material(environment, KEY, problems);
        Optional<Material> roots = material(environment, ROOTS, problems);
        if (chain.isPresent() != key.isPresent()) {
            problems.error(
                    chain.isPresent() ? KEY : CERTIFICATE,
                    0,
                    "a client's certificate and its key go together, and one of them is not given",
                    "give both " + CERTIFICATE + " and " + KEY + " or their files, or neither");
        }
        boolean tls = chain.isPresent() || key.isPresent() || roots.isPresent();
        List<URI> controllers = controllers(environment.apply(CONTROLLERS), tls, problems);
        Optional<Credential> credential = credential(environment, problems);
        if (problems.hasErrors()) return Optional.empty();
        return Optional.of(new LinstorSettings(
                controllers,
                credential,
                chain.flatMap(with -> key.map(secret -> new ClientCertificate(with, secret))),
                roots.<Trust>map(Trust.Roots::new).orElseGet(Trust.SystemRoots::new),
                namespace,
                anywhereIsAllNodes,
                agent));
    }

    private static List<URI> controllers(String text, boolean tls, Problems problems) {
        List<URI> found = new ArrayList<>();
        for (String each : (text.isBlank() ? "localhost" : text).split(",", -1)) {
            Matcher fits = ADDRESS.matcher(each.strip());
            int port = fits.matches() && fits.group(4) != null ? Integer.parseInt(fits.group(4)) : 0;
            if (!fits.matches() || port > 65535) {
                problems.error(
                        CONTROLLERS,
                        0,
                        "one of its addresses is none",
                        "list addresses such as linstor+ssl://controller.example:3371, separated by commas, without a"
                                + " user in them");
                continue;
            }
            String scheme = fits.group(1) == null ? "linstor" : fits.group(1);
            boolean secure =
                    scheme.equals("https") || scheme.equals("linstor+ssl") || (scheme.equals("linstor") && tls);
            int usual = secure ? TLS_PORT : PLAIN_PORT;
            found.add(URI.create((secure ? "https://" : "http://") + fits.group(2) + ":" + (port == 0 ? usual : port)));
        }
        return found;
    }

    private static Optional<Credential> credential(UnaryOperator<String> environment, Problems problems) {
        String file = environment.apply(TOKEN_FILE);
        if (!file.isEmpty()) return path(TOKEN_FILE, file, problems).map(TokenFile::new);
        String user = environment.apply(USER);
        if (user.isEmpty()) return Optional.empty();
        if (user.indexOf(':') >= 0) {
            problems.error(USER, 0, "it has a colon, which would end it", "name a user without one");
            return Optional.empty();
        }
        return Optional.of(new BasicLogin(user, new Secret(environment.apply(PASSWORD))));
    }

    private static Optional<Material> material(UnaryOperator<String> environment, String name, Problems problems) {
        String text = environment.apply(name);
        String file = environment.apply(name + FILE);
        if (!text.isEmpty()) return Optional.of(new Material.Inline(new Secret(text)));
        return file.isEmpty() ? Optional.empty() : path(name + FILE, file, problems);
    }

    private static Optional<Material> path(String name, String text, Problems problems) {
        try {
            return Optional.of(new Material.InFile(Path.of(text)));
        } catch (InvalidPathException _) {
            problems.error(name, 0, "it is no path", "name a file");
            return Optional.empty();
        }
    }

    /** Returns how one of the controllers is reached. */
    HttpSettings http(URI controller) {
        return new HttpSettings(controller, trust, certificate, credential, agent, MAX_BYTES);
    }
}
