package dev.fairlead.adapter.local.directory.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.linux.FolderVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptNamesTest {
    @TempDir
    Path base;

    private Path folder = Path.of("/nowhere");

    private final AtomicInteger readings = new AtomicInteger();
    private Instant now = Instant.now();
    private KeptNames names = new KeptNames(Path.of("/nowhere"), Optional::empty, Instant::now);

    @BeforeEach
    void open() throws IOException {
        folder = Files.createDirectories(base.resolve("pool/v"));
        Assumptions.assumeTrue(FolderVersion.of(folder).isPresent(), "left out: the folder is on no local disk");
        names = new KeptNames(folder, this::read, () -> now);
        Files.createDirectory(folder.resolve("a"));
        later();
    }

    /** Lets the clock be a second after the last change of the folder. */
    private void later() throws IOException {
        now = changed().plusSeconds(1);
    }

    private Instant changed() throws IOException {
        FolderVersion version = FolderVersion.of(folder).orElseThrow();
        return Instant.ofEpochSecond(version.seconds(), version.nanos());
    }

    private Optional<List<String>> read() throws IOException {
        readings.incrementAndGet();
        try (Stream<Path> all = Files.list(folder)) {
            return Optional.of(
                    all.map(path -> String.valueOf(path.getFileName())).sorted().toList());
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    @Test
    void names_are_read_once_while_nobody_changes_any() throws IOException {
        assertThat(names.now()).containsExactly("a");
        assertThat(names.now()).containsExactly("a");
        now = now.plusSeconds(59);
        assertThat(names.now()).containsExactly("a");
        assertThat(readings).hasValue(1);
    }

    @Test
    void what_another_process_makes_or_removes_is_seen_at_once() throws Exception {
        assertThat(names.now()).containsExactly("a");
        Thread.sleep(20);
        Files.createDirectory(folder.resolve("b"));
        assertThat(names.now()).containsExactly("a", "b");
        Thread.sleep(20);
        Files.delete(folder.resolve("a"));
        assertThat(names.now()).containsExactly("b");
        Thread.sleep(20);
        Files.move(folder.resolve("b"), folder.resolve("c"));
        assertThat(names.now()).containsExactly("c");
    }

    /** The next change of the folder may have the very same time. */
    @Test
    void names_are_not_kept_of_a_folder_that_changed_within_the_clocks_tick() throws IOException {
        now = changed().plusMillis(99);
        assertThat(names.now()).containsExactly("a");
        assertThat(names.now()).containsExactly("a");
        assertThat(readings).hasValue(2);

        now = changed().plusMillis(100);
        names.now();
        names.now();
        assertThat(readings).as("the first is by a version that holds").hasValue(3);
    }

    @Test
    void names_are_read_after_a_minute_in_any_case_and_after_the_clock_was_set_back() throws IOException {
        names.now();
        now = now.plus(Duration.ofMinutes(1));
        names.now();
        assertThat(readings).hasValue(2);
        now = now.minusMillis(1);
        names.now();
        assertThat(readings).hasValue(3);
    }

    /** A folder above is renamed here, which leaves this one's version as it is, as if a disk were unmounted. */
    private void away() throws IOException {
        Files.move(base.resolve("pool"), base.resolve("away"));
    }

    private void back() throws IOException {
        Files.move(base.resolve("away"), base.resolve("pool"));
    }

    @Test
    void nothing_is_kept_if_the_folder_goes_away_while_it_is_read() throws IOException {
        KeptNames leaving = new KeptNames(
                folder,
                () -> {
                    if (readings.get() == 0) {
                        away();
                    }
                    return read();
                },
                () -> now);
        assertThat(leaving.now()).isEmpty();
        back();
        assertThat(leaving.now()).containsExactly("a");
        assertThat(leaving.now()).containsExactly("a");
        assertThat(readings).hasValue(2);
    }

    @Test
    void nothing_is_kept_if_the_folder_was_not_there_when_it_was_read_and_is_again() throws IOException {
        KeptNames blinking = new KeptNames(
                folder,
                () -> {
                    if (readings.get() > 0) {
                        return read();
                    }
                    away();
                    Optional<List<String>> found = read();
                    back();
                    return found;
                },
                () -> now);
        assertThat(blinking.now()).isEmpty();
        assertThat(blinking.now()).containsExactly("a");
    }

    @Test
    void nothing_is_kept_of_another_folder_that_came_in_its_place_while_it_was_read() throws IOException {
        KeptNames replaced = new KeptNames(
                folder,
                () -> {
                    if (readings.get() == 0) {
                        away();
                        Files.createDirectories(folder.resolve("b"));
                    }
                    return read();
                },
                () -> now);
        assertThat(replaced.now()).containsExactly("b");
        Files.move(base.resolve("pool"), base.resolve("other"));
        back();
        assertThat(replaced.now()).containsExactly("a");
    }

    @Test
    void a_folder_that_is_not_there_is_asked_each_time() throws IOException {
        KeptNames none = new KeptNames(folder.resolve("none"), this::read, () -> now);
        none.now();
        none.now();
        assertThat(readings).hasValue(2);
    }
}
