package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Snapshots that democratic-csi took, or began to take: it makes the folder, and then copies by {@code rsync -a}, which
 * gives each folder the time of its source once it has all its entries. Whatever is there it takes for the snapshot.
 */
class PeerSnapshotTest {
    private static final NativeId VOLUME = new NativeId("pvc-1");
    private static final CsiName NAME = new CsiName("snapshot-0a1b2c3d-4e5f-6789-abcd-ef0123456789");

    private static final NativeId SNAPSHOT = new NativeId(VOLUME + "-" + NAME);

    @TempDir
    Path base = Path.of("/nowhere");

    private Path volume = base;
    private Path copy = base;

    @BeforeEach
    void peer() throws IOException {
        volume = Files.createDirectories(base.resolve("v/pvc-1"));
        copy = base.resolve("s/" + SNAPSHOT);
        fill(volume);
    }

    private static void fill(Path folder) throws IOException {
        Files.createDirectories(folder.resolve("deep/er"));
        Files.writeString(folder.resolve("data"), "precious");
        Files.writeString(folder.resolve("deep/first"), "1");
        Files.writeString(folder.resolve("deep/er/second"), "2");
    }

    /** Gives a folder a time from before it was made, as the last step of copying it does. */
    static void end(Path folder) throws IOException {
        Files.setLastModifiedTime(folder, FileTime.from(Instant.parse("2024-03-01T10:00:00Z")));
    }

    private void copied() throws IOException {
        fill(copy);
        end(copy.resolve("deep/er"));
        end(copy.resolve("deep"));
        end(copy);
    }

    private StoredSnapshot take() {
        SnapshotStore snapshots = new DirectoryFixture(base).open().snapshots().orElseThrow();
        return snapshots.take(new SnapshotRequest(NAME, VOLUME, Map.of()), 128, TestWork.patient());
    }

    /** Each has lost a file that was still to come into this folder, whose time is that of its last entry. */
    @ParameterizedTest
    @ValueSource(strings = {"data", "deep/first", "deep/er/second"})
    void one_that_was_cut_is_refused_until_its_folder_is_gone_and_taken_then(String file) throws IOException {
        copied();
        Files.delete(copy.resolve(file));
        String before = Dump.of(base);

        Failing.with(Failure.BackendUnavailable.class, this::take);

        assertThatThrownBy(this::take)
                .hasMessageContaining("did not come to its end")
                .hasMessageContaining(copy.toString());
        assertThat(Dump.of(base)).as("the folder is the peer's").isEqualTo(before);
        Files.move(copy, base.resolve("aside"));
        assertThat(take().id()).isEqualTo(SNAPSHOT);
        assertThat(copy.resolve(file)).hasSameTextualContentAs(volume.resolve(file));
    }

    @Test
    void one_that_was_cut_before_its_first_entry_is_refused() throws IOException {
        Files.createDirectories(copy);

        Failing.with(Failure.BackendUnavailable.class, this::take);
    }

    @Test
    void one_that_was_cut_and_has_lost_its_volume_is_refused() throws IOException {
        copied();
        Files.delete(copy.resolve("data"));
        Files.move(volume, base.resolve("v/pvc-2"));

        Failing.with(Failure.BackendUnavailable.class, this::take);
    }

    @Test
    void a_whole_one_is_taken_for_what_it_is_whatever_has_become_of_its_volume() throws IOException {
        copied();
        Files.writeString(volume.resolve("data"), "written since");
        Files.writeString(volume.resolve("new"), "");

        assertThat(take().id()).isEqualTo(SNAPSHOT);
        assertThat(copy.resolve("data")).hasContent("precious");
    }

    /** It lacks nothing but the times of its folders, which a backup of the base may not have brought back either. */
    @Test
    void one_that_holds_all_that_its_volume_holds_is_whole_whenever_its_folders_were_made() throws IOException {
        fill(copy);

        assertThat(take().id()).isEqualTo(SNAPSHOT);
    }
}
