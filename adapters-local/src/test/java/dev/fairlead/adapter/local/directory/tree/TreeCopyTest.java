package dev.fairlead.adapter.local.directory.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fairlead.adapter.local.directory.DirectoryFixture;
import dev.fairlead.adapter.local.directory.Dump;
import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.linux.FileCalls;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeCopyTest {
    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    private Path source = folder;
    private Path target = folder;

    @BeforeEach
    void folders() throws IOException {
        source = Files.createDirectory(folder.resolve("source"));
        target = Files.createDirectory(folder.resolve("target"));
    }

    private TreeSize copy() throws IOException {
        return TreeCopy.copy(source, target, folder, _ -> {});
    }

    @Test
    void content_modes_links_and_times_are_kept() throws IOException {
        Path deep = Files.createDirectories(source.resolve("a/b"));
        Files.writeString(deep.resolve("file"), "content");
        Files.createLink(source.resolve("again"), deep.resolve("file"));
        Files.createSymbolicLink(source.resolve("dangling"), Path.of("/etc/nowhere"));
        Files.writeString(source.resolve("empty"), "");
        Files.setAttribute(deep.resolve("file"), "unix:mode", 04751);
        Files.setAttribute(deep, "unix:mode", 01777);
        Files.setAttribute(source, "unix:mode", 02750);
        FileTime time = FileTime.from(Instant.ofEpochSecond(1_000_000_000, 123_456_789));
        Files.setLastModifiedTime(deep.resolve("file"), time);
        Files.setLastModifiedTime(deep, time);
        Files.setLastModifiedTime(source, time);

        TreeSize copied = copy();

        assertThat(Dump.of(target)).isEqualTo(Dump.of(source));
        assertThat(Files.getLastModifiedTime(target.resolve("a/b/file"))).isEqualTo(time);
        assertThat(Files.getLastModifiedTime(target.resolve("a/b"))).isEqualTo(time);
        assertThat(Files.getLastModifiedTime(target)).isEqualTo(time);
        assertThat(copied).isEqualTo(new TreeSize(6, 14)).isEqualTo(TreeMeasure.of(target, folder, () -> {}));
        assertThat(TreeMeasure.amount(target, folder, () -> {}).content())
                .isEqualTo(8); // a part of 7 bytes for each of 2 names
        assertThat(DirectoryFixture.names(folder)).containsExactly("source", "target");
    }

    @Test
    void holes_stay_holes() throws IOException {
        long size = 64L << 20;
        try (RandomAccessFile file =
                new RandomAccessFile(source.resolve("sparse").toFile(), "rw")) {
            file.seek(size / 2);
            file.write("in the middle".getBytes(StandardCharsets.UTF_8));
            file.setLength(size);
        }

        copy();

        assertThat(Files.mismatch(source.resolve("sparse"), target.resolve("sparse")))
                .isNegative();
        assertThat(allocated(target.resolve("sparse"))).isLessThan(1L << 20);
    }

    private static long allocated(Path file) throws IOException {
        Process du = new ProcessBuilder("du", "-B1", file.toString()).start();
        return Long.parseLong(
                new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\\s", 2)[0]);
    }

    @Test
    void owners_are_kept() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root may give files away");
        Files.writeString(source.resolve("file"), "x");
        Files.setAttribute(source.resolve("file"), "unix:uid", 1234);
        Files.setAttribute(source.resolve("file"), "unix:gid", 5678);
        Files.setAttribute(source.resolve("file"), "unix:mode", 06755);
        Files.createSymbolicLink(source.resolve("link"), Path.of("file"));
        Files.setAttribute(source.resolve("link"), "unix:uid", 99, LinkOption.NOFOLLOW_LINKS);

        copy();

        assertThat(Dump.of(target))
                .isEqualTo(Dump.of(source))
                .contains("1234:5678")
                .contains("99:0");
    }

    @Test
    void extended_attributes_are_kept() throws IOException {
        Files.writeString(source.resolve("file"), "x");
        var view = Files.getFileAttributeView(source.resolve("file"), UserDefinedFileAttributeView.class);
        assumeTrue(Files.getFileStore(source).supportsFileAttributeView(UserDefinedFileAttributeView.class));
        view.write("one", ByteBuffer.wrap("1".getBytes(StandardCharsets.UTF_8)));
        view.write("zwei", ByteBuffer.wrap("22".getBytes(StandardCharsets.UTF_8)));

        copy();

        var copied = Files.getFileAttributeView(target.resolve("file"), UserDefinedFileAttributeView.class);
        assertThat(copied.list()).containsExactlyInAnyOrder("one", "zwei");
        assertThat(copied.size("zwei")).isEqualTo(2);
    }

    @Test
    void pipes_are_copied_and_sockets_left_out() throws Exception {
        new ProcessBuilder("mkfifo", "-m", "640", source.resolve("pipe").toString())
                .start()
                .waitFor(5, TimeUnit.SECONDS);
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(source.resolve("socket")));

            copy();
        }

        assertThat(DirectoryFixture.names(target)).containsExactly("pipe");
        assertThat(Files.getAttribute(target.resolve("pipe"), "unix:mode")).isEqualTo(0010640);
    }

    @Test
    void names_are_bytes_and_need_not_be_text() throws Exception {
        String script = "cd \"$1\" && printf x > \"$(printf 'b\\377d')\" && printf y > \"$(printf 'new\\nline')\"";
        new ProcessBuilder("bash", "-c", script, "bash", source.toString())
                .start()
                .waitFor(5, TimeUnit.SECONDS);

        TreeSize copied = copy();

        assertThat(copied).isEqualTo(new TreeSize(2, 2)).isEqualTo(TreeMeasure.of(target, folder, () -> {}));
        TreeDelete.delete(target);
        assertThat(Files.exists(target)).isFalse();
    }

    @Test
    void a_link_that_leads_out_is_copied_as_a_link() throws IOException {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.writeString(outside.resolve("secret"), "secret");
        Files.createSymbolicLink(source.resolve("out"), outside);

        copy();

        assertThat(Files.readSymbolicLink(target.resolve("out"))).isEqualTo(outside);
        assertThat(TreeMeasure.of(target, folder, () -> {})).isEqualTo(new TreeSize(1, 0));
    }

    @Test
    void a_source_that_is_itself_a_link_is_refused() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), source);

        assertThatThrownBy(() -> TreeCopy.copy(link, target, folder, _ -> {})).isInstanceOf(IOException.class);
    }

    @Test
    void a_folder_that_is_swapped_for_a_link_meanwhile_leads_nowhere() throws Exception {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.writeString(outside.resolve("secret"), "secret");
        for (int i = 0; i < 50; i++) {
            Files.createDirectories(source.resolve("d" + i + "/inner"));
        }
        AtomicBoolean done = new AtomicBoolean();
        Thread attacker = Thread.ofPlatform().start(() -> swap(outside, done));

        for (int round = 0; round < 5; round++) {
            Path copy = Files.createDirectory(folder.resolve("copy" + round));
            TreeCopy.copy(source, copy, folder, _ -> {});
            assertThat(Dump.of(copy)).doesNotContain("secret ");
        }

        done.set(true);
        attacker.join();
    }

    private void swap(Path outside, AtomicBoolean done) {
        for (int i = 0; !done.get(); i = (i + 1) % 50) {
            Path victim = source.resolve("d" + i);
            Path aside = folder.resolve("aside");
            try {
                Files.move(victim, aside);
                Files.createSymbolicLink(victim, outside);
                Files.delete(victim);
                Files.move(aside, victim);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void folders_may_be_nested_deeply() throws IOException {
        nest(source, 1000);

        copy();

        assertThat(TreeMeasure.of(target, folder, () -> {})).isEqualTo(new TreeSize(1000, 0));
        TreeDelete.delete(source);
        TreeDelete.delete(target);
        assertThat(DirectoryFixture.names(folder)).isEmpty();
    }

    @Test
    void folders_nested_without_end_fail_the_copy_alone() throws IOException {
        nest(source, 100_001);

        assertThatThrownBy(this::copy).hasMessageContaining("more than 100000 deep");
        assertThatThrownBy(() -> TreeMeasure.of(source, folder, () -> {}))
                .hasMessageContaining("more than 100000 deep");

        TreeDelete.delete(source);
        TreeDelete.delete(target);
        assertThat(DirectoryFixture.names(folder)).isEmpty();
    }

    private static void nest(Path folder, int levels) throws IOException {
        byte[] name = {'d'};
        try (FileCalls calls = new FileCalls()) {
            int at = calls.openFolder(folder);
            for (int i = 0; i < levels; i++) {
                calls.makeFolder(at, name, 0755);
                int below = calls.openFolder(at, name);
                calls.closeFile(at);
                at = below;
            }
            calls.closeFile(at);
        }
    }

    @Test
    void a_copy_of_folders_alone_can_be_ended() throws IOException {
        nest(source, 3);

        assertThatThrownBy(() -> TreeCopy.copy(source, target, folder, _ -> {
                    throw new IllegalStateException("ending");
                }))
                .hasMessage("ending");
    }

    @Test
    void progress_is_told_in_bytes() throws IOException {
        Files.write(source.resolve("one"), new byte[100_000]);
        Files.write(source.resolve("two"), new byte[50_000]);
        List<Long> told = new ArrayList<>();

        TreeCopy.copy(source, target, folder, told::add);

        assertThat(told).isSorted();
        assertThat(told.getLast()).isEqualTo(150_000);
    }
}
