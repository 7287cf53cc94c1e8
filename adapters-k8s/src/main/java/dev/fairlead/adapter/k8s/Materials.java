package dev.fairlead.adapter.k8s;

import dev.fairlead.adapter.k8s.KubernetesSettings.Material;
import dev.fairlead.application.config.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads texts that may be secret, within bounds. */
final class Materials {
    /** A bundle of roots may be long; a device or a log is a mistake. */
    private static final int MAX_BYTES = 1 << 20;

    private Materials() {}

    static Secret read(Material material) throws IOException {
        return switch (material) {
            case Material.Inline(Secret text) -> text;
            case Material.InFile(Path path) -> new Secret(text(path));
        };
    }

    private static String text(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
        }
    }

    /** The stripped content of a short file; empty where there is none. */
    static Optional<String> firstLine(Path path) {
        try {
            return Optional.of(text(path).strip()).filter(text -> !text.isEmpty());
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
