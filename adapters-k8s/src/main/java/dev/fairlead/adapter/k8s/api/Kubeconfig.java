package dev.fairlead.adapter.k8s.api;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.config.Secret;
import dev.fairlead.http.trust.ClientCertificate;
import dev.fairlead.http.trust.Material;
import dev.fairlead.http.trust.Trust;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Reads a kubeconfig: the server, the roots and the user of its current context.
 *
 * <p>Settings that are not supported here (a program that fetches a token, a password) are refused rather than ignored:
 * without them the server would refuse requests for reasons that are hard to find.
 */
final class Kubeconfig {
    private static final List<String> USER_CANNOT =
            List.of("exec", "auth-provider", "username", "password", "as", "as-uid", "as-groups", "as-user-extra");
    private static final List<String> CLUSTER_CANNOT = List.of("tls-server-name", "proxy-url");

    private final ConfigNode file;
    private final Problems problems;
    private final Path folder;
    private final String agent;

    Kubeconfig(ConfigNode file, Path folder, String agent) {
        this.file = file;
        this.problems = file.problems();
        this.folder = folder;
        this.agent = agent;
    }

    Optional<KubernetesSettings> read() {
        String current = file.require("current-context", "name one of the contexts");
        Optional<ConfigNode> context = named("contexts", current).map(entry -> entry.child("context"));
        if (context.isEmpty()) {
            return Optional.empty();
        }
        Optional<ConfigNode> cluster = named("clusters", context.get().require("cluster", "name one of the clusters"))
                .map(entry -> entry.child("cluster"));
        Optional<ConfigNode> user = named("users", context.get().require("user", "name one of the users"))
                .map(entry -> entry.child("user"));
        if (cluster.isEmpty() || user.isEmpty()) {
            return Optional.empty();
        }
        refuse(cluster.get(), CLUSTER_CANNOT);
        refuse(user.get(), USER_CANNOT);
        var settings = new KubernetesSettings(
                cluster.get().require("server", Kubeconfig::server, URI.create("https://invalid"), "expected: a URL"),
                context.get().string("namespace"),
                token(user.get()),
                certificate(user.get()),
                trust(cluster.get()),
                agent);
        return problems.hasErrors() ? Optional.empty() : Optional.of(settings);
    }

    private Optional<ConfigNode> named(String list, String name) {
        List<ConfigNode> entries = file.children(list);
        Optional<ConfigNode> found = entries.stream()
                .filter(entry -> entry.string("name").filter(name::equals).isPresent())
                .findFirst();
        if (found.isEmpty() && !problems.hasErrors()) {
            problems.error(list, file.lineOf(list), "has no entry '" + name + "'", "name one that is there");
        }
        return found;
    }

    private void refuse(ConfigNode node, List<String> keys) {
        for (String key : keys) {
            if (node.has(key)) {
                problems.error(
                        node.pathOf(key),
                        node.lineOf(key),
                        "is not supported",
                        "use a token or a client certificate, and an address that can be reached");
            }
        }
    }

    private static URI server(String text) {
        URI server = URI.create(text);
        String scheme = server.getScheme() == null ? "" : server.getScheme();
        if (server.getHost() == null || !(scheme.equals("https") || scheme.equals("http"))) {
            throw new IllegalArgumentException("is no address of a server");
        }
        return server;
    }

    private Trust trust(ConfigNode cluster) {
        if (cluster.bool("insecure-skip-tls-verify", false)) {
            return new Trust.Anything();
        }
        return material(cluster, "certificate-authority", "certificate-authority-data")
                .<Trust>map(Trust.Roots::new)
                .orElseGet(Trust.SystemRoots::new);
    }

    /** Returns the token of a user, from the text rather than from the file, as kubectl does. */
    private Optional<Material> token(ConfigNode user) {
        Optional<Material> inline = user.secret("token").map(Material.Inline::new);
        return inline.or(() -> user.optional("tokenFile", this::file, "expected: a path"));
    }

    private Optional<ClientCertificate> certificate(ConfigNode user) {
        Optional<Material> chain = material(user, "client-certificate", "client-certificate-data");
        Optional<Material> key = material(user, "client-key", "client-key-data");
        if (chain.isPresent() != key.isPresent()) {
            problems.error(
                    user.path(),
                    user.line(),
                    "has only one of client-certificate and client-key",
                    "give both, or a token");
        }
        return chain.isPresent() && key.isPresent()
                ? Optional.of(new ClientCertificate(chain.get(), key.get()))
                : Optional.empty();
    }

    private Optional<Material> material(ConfigNode node, String path, String data) {
        Optional<Material> inline = node.secret(data).flatMap(text -> decoded(node, data, text));
        return inline.or(() -> node.optional(path, this::file, "expected: a path"));
    }

    private Optional<Material> decoded(ConfigNode node, String key, Secret text) {
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(text.reveal());
            return Optional.of(new Material.Inline(new Secret(new String(bytes, StandardCharsets.UTF_8))));
        } catch (IllegalArgumentException _) {
            problems.error(node.pathOf(key), node.lineOf(key), "is not base64", "encode the PEM text");
            return Optional.empty();
        }
    }

    private Material file(String text) {
        try {
            return new Material.InFile(folder.resolve(text));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("is no path", e);
        }
    }
}
