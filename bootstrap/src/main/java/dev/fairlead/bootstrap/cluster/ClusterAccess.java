package dev.fairlead.bootstrap.cluster;

import dev.fairlead.adapter.k8s.api.KubernetesSettings;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.InvalidConfigException;
import dev.fairlead.application.config.Problems;
import dev.fairlead.bootstrap.config.YamlReader;
import dev.fairlead.bootstrap.options.Version;
import dev.fairlead.http.trust.Trust;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the access to Kubernetes: the file that {@code KUBECONFIG} names, else the pod's service account. */
public final class ClusterAccess {
    private static final Logger log = LoggerFactory.getLogger(ClusterAccess.class);
    private static final String AGENT = "fairlead/" + Version.NUMBER;

    private ClusterAccess() {}

    /**
     * @param environment returns a variable's value, or an empty text
     * @param account the folder of the pod's service account
     * @throws InvalidConfigException if there is no access, or it cannot be used
     */
    public static KubernetesSettings read(UnaryOperator<String> environment, Path account) {
        String file = environment.apply("KUBECONFIG");
        var problems = new Problems(file.isEmpty() ? "kubernetes" : file);
        Optional<KubernetesSettings> read = file.isEmpty()
                ? KubernetesSettings.inCluster(environment, account, AGENT, problems)
                : kubeconfig(Path.of(file).toAbsolutePath(), problems);
        if (read.isEmpty() || problems.hasErrors()) {
            throw new InvalidConfigException(problems.errors());
        }
        if (read.get().trust() instanceof Trust.Anything) {
            log.atWarn().addKeyValue("file", file).log("the API server's certificate is not checked, as the file says");
        }
        return read.get();
    }

    private static Optional<KubernetesSettings> kubeconfig(Path file, Problems problems) {
        try (InputStream in = Files.newInputStream(file)) {
            Path folder = Optional.ofNullable(file.getParent()).orElse(file);
            return YamlReader.read(in.readNBytes(YamlReader.MAX_BYTES + 1), problems)
                    .flatMap(mapping ->
                            KubernetesSettings.ofKubeconfig(ConfigNode.root(mapping, problems), folder, AGENT));
        } catch (IOException e) {
            problems.error(
                    "",
                    0,
                    "cannot be read: " + e.getClass().getSimpleName(),
                    "let KUBECONFIG name one file that this process may read");
            return Optional.empty();
        }
    }
}
