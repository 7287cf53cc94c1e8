package dev.fairlead.adapter.local.directory.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerMarkCacheTest {
    private final OwnerMark.Cache records = new OwnerMark.Cache(_ -> {});

    @TempDir
    Path folder = Path.of("/nowhere");

    private static String mark(String connection) {
        return "{\"connection\": \"" + connection + "\", \"installation\": \"org.a\"}";
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void an_unchanged_mark_is_parsed_once() throws IOException {
        Path file = write("owner", mark("a"));

        OwnerRecord first = records.read(file).orElseThrow();

        assertThat(first.connection()).isEqualTo("a");
        assertThat(records.read(file).orElseThrow()).isSameAs(first);
    }

    /** As whoever renews the mark does it, and as it is after another base was mounted. */
    @Test
    void a_mark_in_its_place_is_seen_though_it_has_its_size_and_time() throws IOException {
        Path file = write("owner", mark("a"));
        records.read(file);
        Path other = write("other", mark("b"));
        FileTime time = Files.getLastModifiedTime(file);
        Files.setLastModifiedTime(other, time);
        Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);

        assertThat(records.read(file).orElseThrow().connection()).isEqualTo("b");
    }

    @Test
    void an_edit_in_place_is_seen() throws IOException {
        Path file = write("owner", mark("a"));
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
        records.read(file);

        write("owner", mark("b"));

        assertThat(records.read(file).orElseThrow().connection()).isEqualTo("b");
    }

    @Test
    void a_mark_that_is_gone_or_incomplete_is_none() throws IOException {
        Path file = write("owner", mark("a"));
        records.read(file);

        write("owner", "{\"conn");
        assertThat(records.read(file)).isEmpty();

        Files.delete(file);
        assertThat(records.read(file)).isEmpty();
    }

    @Test
    void a_mark_is_checked_once_and_one_that_is_refused_at_each_look() throws IOException {
        List<String> checked = new ArrayList<>();
        OwnerMark.Cache checking = new OwnerMark.Cache(mark -> {
            checked.add(mark.connection());
            if (mark.connection().equals("b")) {
                throw new IllegalStateException("refused");
            }
        });
        Path ours = write("owner", mark("a"));
        Path theirs = write("other", mark("b"));

        checking.read(ours);
        checking.read(ours);
        assertThatThrownBy(() -> checking.read(theirs)).hasMessage("refused");
        assertThatThrownBy(() -> checking.read(theirs)).hasMessage("refused");

        assertThat(checked).containsExactly("a", "b", "b");
    }
}
