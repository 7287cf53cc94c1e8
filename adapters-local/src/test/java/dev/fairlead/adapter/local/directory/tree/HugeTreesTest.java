package dev.fairlead.adapter.local.directory.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.DirectoryFixture;
import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.linux.FileCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever tree a tenant makes in a volume, copying, measuring and deleting it takes little of what all connections
 * share: each runs here in a process of its own, which has little memory and few descriptors.
 */
class HugeTreesTest {
    private static final String HEAP = "-Xmx12m";
    private static final int DESCRIPTORS = 200;
    private static final int MANY = 80_000;
    private static final int DEPTH = 30_000;

    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    private Path source = folder;

    @BeforeEach
    void sourceFolder() throws IOException {
        source = Files.createDirectory(folder.resolve("source"));
    }

    @Test
    void files_of_several_names_may_be_many_and_their_names_long() throws Exception {
        try (FileCalls calls = new FileCalls()) {
            int top = calls.openFolder(source);
            calls.makeFolder(top, name("again"), 0755);
            int again = calls.openFolder(top, name("again"));
            for (int i = 0; i < MANY; i++) {
                byte[] name = name("file-" + i + "-" + "x".repeat(140));
                calls.closeFile(calls.createFile(top, name));
                calls.link(top, name, again, name);
            }
            calls.closeFile(again);
            calls.closeFile(top);
        }

        assertThat(inSmallProcess()).isEqualTo("copied " + (2 * MANY + 1) + ", linked true, deleted");
    }

    @Test
    void folders_may_be_nested_far_deeper_than_a_path_can_tell() throws Exception {
        byte[] name = name("folder-with-a-name");
        try (FileCalls calls = new FileCalls()) {
            int at = calls.openFolder(source);
            for (int i = 0; i < DEPTH; i++) {
                calls.makeFolder(at, name, 0755);
                int below = calls.openFolder(at, name);
                calls.closeFile(at);
                at = below;
            }
            calls.closeFile(calls.createFile(at, name));
            calls.closeFile(at);
        }

        assertThat(inSmallProcess()).isEqualTo("copied " + (DEPTH + 1) + ", linked false, deleted");
    }

    @Test
    void a_folder_may_have_very_many_folders_in_it() throws Exception {
        try (FileCalls calls = new FileCalls()) {
            int top = calls.openFolder(source);
            for (int i = 0; i < MANY; i++) {
                calls.makeFolder(top, name("folder-" + i + "-" + "x".repeat(200)), 0755);
            }
            calls.closeFile(top);
        }

        assertThat(inSmallProcess()).isEqualTo("copied " + MANY + ", linked false, deleted");
    }

    private static byte[] name(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String inSmallProcess() throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        "bash",
                        "-c",
                        "ulimit -n " + DESCRIPTORS + " && exec \"$@\"",
                        "bash",
                        ProcessHandle.current().info().command().orElse("java"),
                        HEAP,
                        "-XX:+ExitOnOutOfMemoryError",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SmallProcess.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(2, TimeUnit.MINUTES);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        String said = Files.readString(output).strip();
        Files.delete(output);
        assertThat(DirectoryFixture.names(folder)).as("left by: %s", said).isEmpty();
        return ended ? said : "not done in time: " + said;
    }

    /** Copies a tree, reads the copy back, and deletes both. */
    static final class SmallProcess {
        private SmallProcess() {}

        public static void main(String[] arguments) throws IOException {
            Path folder = Path.of(arguments[0]);
            Path source = folder.resolve("source");
            Path target = Files.createDirectory(folder.resolve("target"));
            String said;
            try {
                TreeSize copied = TreeCopy.copy(source, target, folder, _ -> {});
                boolean same = copied.equals(TreeMeasure.of(target, folder, () -> {}))
                        && copied.equals(TreeMeasure.of(source, folder, () -> {}));
                said = "copied " + (same ? copied.entries() : copied) + ", linked " + isLinked(target);
            } finally {
                TreeDelete.delete(target);
                TreeDelete.delete(source);
            }
            System.out.println(said + ", deleted");
        }

        private static boolean isLinked(Path target) throws IOException {
            try (var files = Files.newDirectoryStream(target)) {
                for (Path file : files) {
                    if (Files.isRegularFile(file)) {
                        return Files.isSameFile(file, target.resolve("again").resolve(file.getFileName()));
                    }
                }
            }
            return false;
        }
    }
}
