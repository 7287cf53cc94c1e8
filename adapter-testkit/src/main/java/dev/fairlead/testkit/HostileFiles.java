package dev.fairlead.testkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes contents of a backend's files as somebody else may have written or a crash may have cut them. They are the same
 * at every run.
 */
public final class HostileFiles {
    private static final long SEED = 20_260_102L;

    private HostileFiles() {}

    /** Returns contents of files that somebody else may have written: broken, cut, huge, or of another format. */
    public static List<byte[]> contents() {
        List<byte[]> contents = new ArrayList<>();
        for (String text : List.of(
                "",
                " ",
                "\n",
                "{",
                "}",
                "[]",
                "null",
                "0",
                "\"\"",
                "{}",
                "{\"id\":",
                "{\"id\":null}",
                "{\"id\":{}}",
                "{\"id\":[\"..\"]}",
                "{\"id\":\"../../etc\"}",
                "{\"id\":1e999}",
                "{\"id\":\"a\",\"id\":\"b\"}",
                "<html><body>502 Bad Gateway</body></html>",
                "%PDF-1.4",
                "--- !!javax.script.ScriptEngineManager []",
                "[".repeat(50_000),
                "{\"a\":".repeat(10_000),
                "\"" + "a".repeat(100_000) + "\"")) {
            contents.add(text.getBytes(StandardCharsets.UTF_8));
        }
        contents.add(new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        contents.add(new byte[4096]);
        contents.add(new byte[] {(byte) 0xc0, (byte) 0xaf});
        contents.add("\ufeff{}".getBytes(StandardCharsets.UTF_8));
        byte[] noise = new byte[8192];
        new Random(SEED).nextBytes(noise);
        contents.add(noise);
        return contents;
    }
}
