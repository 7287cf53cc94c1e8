package dev.fairlead.http;

import dev.fairlead.application.config.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A text that may be secret, or the file that holds it. */
public sealed interface Material {
    /** A bundle of roots may be long; a device or a log is a mistake. */
    int MAX_BYTES = 1 << 20;

    /** Reads the text as it is now, within bounds. */
    Secret read() throws IOException;

    /** The text itself. */
    record Inline(Secret text) implements Material {
        @Override
        public Secret read() {
            return text;
        }
    }

    /** The file that holds it; its content may be replaced while this process runs. */
    record InFile(Path path) implements Material {
        @Override
        public Secret read() throws IOException {
            try (InputStream in = Files.newInputStream(path)) {
                return new Secret(new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8));
            }
        }
    }
}
