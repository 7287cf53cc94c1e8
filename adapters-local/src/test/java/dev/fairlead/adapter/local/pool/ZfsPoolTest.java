package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.Mounts;
import dev.fairlead.adapter.local.pool.identity.DatasetIdentity;
import dev.fairlead.adapter.local.pool.identity.DiskIdentity;
import dev.fairlead.testkit.contract.snapshot.SnapshotGroupsContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("machine")
class ZfsPoolTest extends PoolContract implements SnapshotGroupsContract {
    @RegisterExtension
    private static final ZfsDisk DISK = new ZfsDisk();

    @Override
    String kind() {
        return "zfs";
    }

    @Override
    PoolFixture process(String baseFolder) {
        return new PoolFixture(baseFolder, DISK.datasets());
    }

    @Override
    Path place() throws IOException {
        return DISK.place();
    }

    /** Each takes a dozen runs of {@code zfs}; over played datasets all are tried. */
    @Override
    public int mostInputs() {
        return 25;
    }

    @Test
    void a_pool_is_known_by_its_dataset_under_whatever_name() throws Exception {
        DiskIdentity identity = new DatasetIdentity(DISK.datasets(), DiskIdentity.OF_FILESYSTEM);
        Path first = DISK.place();
        String before = DISK.dataset();
        Optional<String> guid = identity.of(first);
        Path second = DISK.place();

        assertThat(guid).isPresent();
        assertThat(identity.of(second)).isPresent().isNotEqualTo(guid);
        assertThat(Mounts.run("zfs", "rename", before, before + "-renamed")).isTrue();
        assertThat(identity.of(first.resolveSibling(first.getFileName() + "-renamed")))
                .isEqualTo(guid);
    }
}
