package dev.fairlead.bootstrap.serving;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.bootstrap.config.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/** The YAML of the documents that Fairlead is a drop-in for, word for word. */
final class Seeds {
    private Seeds() {}

    static String text(String name) {
        try (InputStream in = Objects.requireNonNull(Seeds.class.getResourceAsStream("/seeds/" + name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ConfigNode yaml(String name) {
        var problems = new Problems(name);
        return YamlReader.read(text(name).getBytes(StandardCharsets.UTF_8), problems)
                .map(mapping -> ConfigNode.root(mapping, problems))
                .orElseThrow(() -> new IllegalStateException(problems.all().toString()));
    }

    /** The parameters of a StorageClass. */
    static Map<String, String> parameters(String storageClass) {
        return yaml(storageClass).stringMap("parameters");
    }
}
