package dev.fairlead.adapter.kernel.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Reads the programs for the storage host that are files beside the class that sends them. */
public final class ScriptText {
    private ScriptText() {}

    public static String beside(Class<?> sender, String name) {
        try (InputStream file = sender.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException(name + " is missing beside " + sender);
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(name + " cannot be read", e);
        }
    }
}
