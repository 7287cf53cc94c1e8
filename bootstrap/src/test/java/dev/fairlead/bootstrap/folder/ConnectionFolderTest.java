package dev.fairlead.bootstrap.folder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Problem;
import dev.fairlead.domain.connection.ConnectionName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionFolderTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    @TempDir
    Path folder;

    private final Events events = new Events();

    @Test
    void new_changed_and_removed_files_are_told_once_each() throws IOException {
        ConnectionFolder connections = folder();
        write("a.yaml", "1");
        write("b.yaml", "2");

        connections.refresh();
        connections.refresh();
        write("a.yaml", "3");
        Files.delete(folder.resolve("b.yaml"));
        connections.refresh();

        assertThat(events.told).containsExactly("changed a 1", "changed b 2", "removed b", "changed a 3");
        assertThat(events.looks).isEqualTo(3);
    }

    @Test
    void the_same_text_written_again_is_no_change() throws IOException {
        ConnectionFolder connections = folder();
        write("a.yaml", "1");
        connections.refresh();

        write("a.yaml", "1");
        Files.setLastModifiedTime(folder.resolve("a.yaml"), FileTime.from(NOW.minusSeconds(5)));
        connections.refresh();

        assertThat(events.told).containsExactly("changed a 1");
    }

    @Test
    void kubernetes_swaps_its_links_and_all_files_change_at_once() throws IOException {
        ConnectionFolder connections = folder();
        mount("..2026_01_01", "a.yaml", "1", "b.yaml", "1");
        Files.createSymbolicLink(folder.resolve("..data"), Path.of("..2026_01_01"));
        Files.createSymbolicLink(folder.resolve("a.yaml"), Path.of("..data/a.yaml"));
        Files.createSymbolicLink(folder.resolve("b.yaml"), Path.of("..data/b.yaml"));
        connections.refresh();

        mount("..2026_01_02", "a.yaml", "2", "b.yaml", "1");
        Files.createSymbolicLink(folder.resolve("..data_tmp"), Path.of("..2026_01_02"));
        Files.move(folder.resolve("..data_tmp"), folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
        connections.refresh();

        assertThat(events.told).containsExactly("changed a 1", "changed b 1", "changed a 2");
    }

    @Test
    void a_file_that_is_being_written_is_left_until_it_is_quiet() throws IOException {
        ConnectionFolder connections = folder();
        connections.refresh();
        write("a.yaml", "half");
        Files.setLastModifiedTime(folder.resolve("a.yaml"), FileTime.from(NOW.minusMillis(50)));

        boolean unsettled = connections.refresh();
        write("a.yaml", "whole");
        boolean settled = !connections.refresh();

        assertThat(unsettled).isTrue();
        assertThat(settled).isTrue();
        assertThat(events.told).containsExactly("changed a whole");
    }

    @Test
    void a_missing_folder_is_warned_of_once_and_read_when_it_is_there() throws IOException {
        Files.delete(folder);
        ConnectionFolder connections = folder();

        connections.refresh();
        connections.refresh();
        Files.createDirectory(folder);
        write("a.yaml", "1");
        connections.refresh();

        assertThat(events.told).containsExactly("changed a 1");
        assertThat(events.folder).hasSize(2);
        assertThat(events.folder.getFirst())
                .singleElement()
                .satisfies(problem -> assertThat(problem.what()).isEqualTo("is missing"));
        assertThat(events.folder.getLast()).isEmpty();
    }

    @Test
    void a_folder_that_is_none_keeps_what_was_there() throws IOException {
        ConnectionFolder connections = folder();
        write("a.yaml", "1");
        connections.refresh();

        Files.delete(folder.resolve("a.yaml"));
        Files.delete(folder);
        Files.writeString(folder, "a file");
        connections.refresh();

        assertThat(events.told).containsExactly("changed a 1");
        assertThat(events.folder.getLast()).extracting(Problem::what).containsExactly("is no folder");
    }

    @Test
    void names_that_no_connection_can_have_are_passed_over_with_a_word() throws IOException {
        write(".hidden.yaml", "1");
        write("..data.yaml", "1");
        write(".#a.yaml", "1");
        write(".yaml", "1");
        write(".a.yaml.swp", "1");
        write("a.yml", "1");
        write("notes.txt", "1");
        write("sp ace.yaml", "1");

        folder().refresh();

        assertThat(events.told).isEmpty();
        assertThat(events.folder.getFirst())
                .extracting(Problem::path, Problem::isError)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(".hidden.yaml", false),
                        org.assertj.core.groups.Tuple.tuple("a.yml", false),
                        org.assertj.core.groups.Tuple.tuple("sp ace.yaml", true));
    }

    @Test
    void whatever_can_be_a_key_of_a_secret_is_a_connection() throws IOException {
        String longest = "x".repeat(248);
        write("_nas.yaml", "1");
        write("-nas.yaml", "2");
        write(longest + ".yaml", "3");

        folder().refresh();

        assertThat(events.told).containsExactly("changed -nas 2", "changed _nas 1", "changed " + longest + " 3");
        assertThat(events.folder).isEmpty();
    }

    @Test
    void what_cannot_be_read_is_told_once_and_does_not_hide_the_others() throws IOException {
        ConnectionFolder connections = folder();
        Files.createDirectory(folder.resolve("dir.yaml"));
        Files.createSymbolicLink(folder.resolve("link.yaml"), Path.of("nowhere"));
        write("ok.yaml", "1");

        connections.refresh();
        connections.refresh();

        assertThat(events.told)
                .containsExactly("unreadable dir is a folder", "unreadable link is a link to nothing", "changed ok 1");
    }

    @Test
    void a_huge_file_is_read_no_further_than_it_takes_to_refuse_it() throws IOException {
        write("a.yaml", "x".repeat(3 << 20));

        folder().refresh();

        assertThat(events.lengths).containsExactly((1 << 20) + 1);
    }

    @Test
    void the_watch_tells_of_a_change_without_waiting_for_its_interval() throws Exception {
        try (var watch = new FolderWatch(
                new ConnectionFolder(folder, events, Instant::now, Duration.ZERO),
                Thread.ofPlatform().daemon().factory(),
                Duration.ofMinutes(10),
                Duration.ofMillis(1))) {
            watch.start();
            assertThat(watch.awaitFirstLook(Duration.ofSeconds(20))).isTrue();

            write("a.yaml", "1");

            assertThat(events.live.poll(20, TimeUnit.SECONDS)).isEqualTo("changed a 1");
        }
    }

    @Test
    void the_watch_finds_a_folder_that_came_later() throws Exception {
        Files.delete(folder);
        try (var watch = new FolderWatch(
                new ConnectionFolder(folder, events, Instant::now, Duration.ZERO),
                Thread.ofPlatform().daemon().factory(),
                Duration.ofMillis(5),
                Duration.ofMillis(1))) {
            watch.start();
            assertThat(watch.awaitFirstLook(Duration.ofSeconds(20))).isTrue();

            Files.createDirectory(folder);
            write("a.yaml", "1");

            assertThat(events.live.poll(20, TimeUnit.SECONDS)).isEqualTo("changed a 1");
        }
    }

    @Test
    void a_look_that_hangs_keeps_nobody_waiting() throws Exception {
        write("a.yaml", "1");
        var stuck = new CountDownLatch(1);
        var hanging = new Events() {
            @Override
            public void changed(ConnectionName name, byte[] content) {
                awaitQuietly(stuck);
            }
        };
        try (var watch = new FolderWatch(
                new ConnectionFolder(folder, hanging, Instant::now, Duration.ZERO),
                Thread.ofPlatform().daemon().factory(),
                Duration.ofMinutes(10),
                Duration.ofMillis(1))) {
            watch.start();

            assertThat(watch.awaitFirstLook(Duration.ofMillis(20))).isFalse();
            stuck.countDown();
            assertThat(watch.awaitFirstLook(Duration.ofSeconds(20))).isTrue();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private ConnectionFolder folder() {
        return new ConnectionFolder(folder, events, () -> NOW, Duration.ofMillis(200));
    }

    /** Written long ago, as far as the folder's clock is concerned. */
    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Path draft = Files.writeString(folder.resolve(".draft"), text);
        Files.setLastModifiedTime(draft, FileTime.from(NOW.minusSeconds(10)));
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private void mount(String version, String... files) throws IOException {
        Path dir = Files.createDirectory(folder.resolve(version));
        for (int i = 0; i < files.length; i += 2) {
            Path file = Files.writeString(dir.resolve(files[i]), files[i + 1]);
            Files.setLastModifiedTime(file, FileTime.from(NOW.minusSeconds(10)));
        }
    }

    private static class Events implements ConnectionListener {
        private final List<String> told = new ArrayList<>();
        private final List<Integer> lengths = new ArrayList<>();
        private final List<List<Problem>> folder = new ArrayList<>();
        private int looks;
        private final LinkedBlockingQueue<String> live = new LinkedBlockingQueue<>();

        @Override
        public void changed(ConnectionName name, byte[] content) {
            lengths.add(content.length);
            tell("changed " + name + " " + new String(content, StandardCharsets.UTF_8));
        }

        @Override
        public void unreadable(ConnectionName name, Problem problem) {
            tell("unreadable " + name + " " + problem.what());
        }

        @Override
        public void removed(ConnectionName name) {
            tell("removed " + name);
        }

        @Override
        public void looked() {
            looks++;
        }

        @Override
        public void folder(List<Problem> problems) {
            folder.add(problems);
        }

        private void tell(String what) {
            told.add(what);
            live.add(what);
        }
    }
}
