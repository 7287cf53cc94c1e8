package dev.fairlead.http.trust;

import dev.fairlead.application.config.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A material is a text that may be secret, or the file that holds it. */
public sealed interface Material {
    /** The greatest length of a text in bytes: a bundle of roots may be long, but a device or a log is a mistake. */
    int MAX_BYTES = 1 << 20;

    /** Reads the text as it is now, within bounds. */
    Secret read() throws IOException;

    /** Holds the text itself. */
    record Inline(Secret text) implements Material {
        @Override
        public Secret read() {
            return text;
        }
    }

    /** Names the file that holds the text; its content may be replaced while this process runs. */
    record InFile(Path path) implements Material {
        @Override
        public Secret read() throws IOException {
            try (InputStream in = Files.newInputStream(path)) {
                return new Secret(new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8));
            }
        }
    }
}
