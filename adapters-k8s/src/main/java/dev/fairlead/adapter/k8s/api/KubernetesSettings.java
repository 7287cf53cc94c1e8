package dev.fairlead.adapter.k8s.api;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.http.BearerToken;
import dev.fairlead.http.Credential;
import dev.fairlead.http.HttpSettings;
import dev.fairlead.http.trust.ClientCertificate;
import dev.fairlead.http.trust.Material;
import dev.fairlead.http.trust.Trust;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Says how the API server is reached, and as whom.
 *
 * @param namespace the namespace in which this process runs, if that is known
 * @param token sent with each request; a token in a file is read anew each time, since the content is replaced
 * @param certificate the certificate by which this process shows who it is
 * @param agent the {@code User-Agent} of the requests
 */
public record KubernetesSettings(
        URI server,
        Optional<String> namespace,
        Optional<Material> token,
        Optional<ClientCertificate> certificate,
        Trust trust,
        String agent) {
    /** The folder in which Kubernetes puts a pod's service account. */
    public static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    /**
     * Returns the access that a pod has by its service account.
     *
     * @param environment returns a variable's value, or an empty text
     * @param account {@link #ACCOUNT}
     * @return empty if something is wrong, which the problems then say
     */
    public static Optional<KubernetesSettings> inCluster(
            UnaryOperator<String> environment, Path account, String agent, Problems problems) {
        String host = environment.apply("KUBERNETES_SERVICE_HOST");
        String port = environment.apply("KUBERNETES_SERVICE_PORT");
        if (host.isEmpty()) {
            problems.error(
                    "",
                    0,
                    "Kubernetes is asked for, and there is no access to it",
                    "run in a pod with a service account, or let KUBECONFIG name a file");
            return Optional.empty();
        }
        for (String file : new String[] {"token", "ca.crt"}) {
            if (!Files.isReadable(account.resolve(file))) {
                problems.error(
                        "",
                        0,
                        account.resolve(file) + " cannot be read",
                        "let the pod mount its service account's token (automountServiceAccountToken)");
            }
        }
        if (problems.hasErrors()) {
            return Optional.empty();
        }
        String name = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
        try {
            return Optional.of(new KubernetesSettings(
                    URI.create("https://" + name + ":" + (port.isEmpty() ? "443" : port)),
                    stripped(account.resolve("namespace")),
                    Optional.of(new Material.InFile(account.resolve("token"))),
                    Optional.empty(),
                    new Trust.Roots(new Material.InFile(account.resolve("ca.crt"))),
                    agent));
        } catch (IllegalArgumentException _) {
            problems.error("", 0, "KUBERNETES_SERVICE_HOST and _PORT make no address", "leave both as they were");
            return Optional.empty();
        }
    }

    /**
     * Returns the access that a kubeconfig's current context gives.
     *
     * @param folder the folder of the file, for the relative paths in it
     * @return empty if something is wrong, which the file's problems then say
     */
    public static Optional<KubernetesSettings> ofKubeconfig(ConfigNode file, Path folder, String agent) {
        return new Kubeconfig(file, folder, agent).read();
    }

    /** Returns the stripped content of a short file; empty if there is none. */
    private static Optional<String> stripped(Path path) {
        try {
            return Optional.of(new Material.InFile(path).read().reveal().strip())
                    .filter(text -> !text.isEmpty());
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    HttpSettings http() {
        Optional<Credential> bearer = token.map(source -> new BearerToken(source, place(source)));
        return new HttpSettings(server, trust, certificate, bearer, agent, HttpSettings.USUAL_MAX_BYTES);
    }

    private static String place(Material token) {
        return token instanceof Material.InFile(Path path) ? path.toString() : "the kubeconfig";
    }
}
