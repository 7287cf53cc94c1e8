package dev.fairlead.adapter.k8s;

import dev.fairlead.adapter.k8s.KubernetesSettings.Material;
import dev.fairlead.application.config.Secret;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The token of this process, as it is now: kubelet replaces the file's content long before the old token ends, so the
 * file is read for each request, and while it cannot be read the last token serves.
 */
final class BearerToken {
    /** What may stand in a header; anything else is a file of another kind. */
    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7E]{1,65536}");

    private final Material source;
    private volatile @Nullable Secret last;

    BearerToken(Material source) {
        this.source = source;
    }

    /** @throws StorageException {@code NodeFault} where there never was one */
    Secret current() {
        Optional<Secret> read = read();
        read.ifPresent(token -> last = token);
        Secret known = last;
        if (known == null) {
            throw new StorageException(new Failure.NodeFault(
                    "reading the token for Kubernetes", place() + " holds no token, or cannot be read"));
        }
        return known;
    }

    private Optional<Secret> read() {
        try {
            String text = Materials.read(source).reveal().strip();
            return FORM.matcher(text).matches() ? Optional.of(new Secret(text)) : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private String place() {
        return switch (source) {
            case Material.Inline _ -> "the kubeconfig";
            case Material.InFile(var path) -> path.toString();
        };
    }
}
