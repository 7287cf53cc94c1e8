package dev.fairlead.adapter.local.directory.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class TreeMeasureTest {
    private static final int FOLDERS = 200;

    @TempDir
    private Path folder;

    private Path tree;
    private Path scratch;

    @BeforeEach
    void lay() throws IOException {
        tree = Files.createDirectory(folder.resolve("tree"));
        scratch = Files.createDirectory(folder.resolve("scratch"));
        for (int i = 0; i < FOLDERS; i++) {
            Files.createDirectory(tree.resolve("d" + i));
        }
    }

    @Test
    void a_measurement_that_began_can_be_ended() throws IOException {
        Files.createDirectories(tree.resolve("d0/below"));
        var asked = new AtomicInteger();
        Runnable endingLater = () -> {
            if (asked.incrementAndGet() > 1) {
                throw new IllegalStateException("ending");
            }
        };

        assertThatThrownBy(() -> TreeMeasure.amount(tree, scratch, endingLater)).hasMessage("ending");
    }

    /** Each snapshot and clone measures twice, and many are made at once. */
    @Test
    void a_small_tree_takes_little_memory() throws IOException {
        Path small = Files.createDirectory(scratch.resolve("small"));
        Files.createDirectory(small.resolve("below"));
        for (int i = 0; i < 10; i++) {
            var _ = TreeMeasure.amount(small, scratch, () -> {});
        }
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();

        var _ = TreeMeasure.amount(small, scratch, () -> {});

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(32 << 10);
    }

    /** A pod goes on working while its volume is measured, and a copy carries on over the same. */
    @Test
    @Timeout(120)
    void folders_that_become_links_or_files_meanwhile_fail_nothing() throws Exception {
        var over = new AtomicBoolean();
        try (var threads = Executors.newSingleThreadExecutor()) {
            var changes = threads.submit(() -> {
                while (!over.get()) {
                    for (int i = 0; i < FOLDERS; i++) {
                        change(tree.resolve("d" + i), i % 2 == 0);
                    }
                }
                return true;
            });
            try {
                for (int i = 0; i < 300; i++) {
                    assertThat(TreeMeasure.amount(tree, scratch, () -> {}).content())
                            .isZero();
                }
            } finally {
                over.set(true);
            }
            assertThat(changes.get()).isTrue();
        }
    }

    private void change(Path path, boolean toLink) throws IOException {
        Files.delete(path);
        if (toLink) {
            Files.createSymbolicLink(path, scratch);
        } else {
            Files.createFile(path);
        }
        Files.delete(path);
        Files.createDirectory(path);
    }
}
