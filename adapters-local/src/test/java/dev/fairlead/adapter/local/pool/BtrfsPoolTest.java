package dev.fairlead.adapter.local.pool;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Takes more than a minute on a busy machine, since each of some thousand changes is synced. */
@Tag("long")
class BtrfsPoolTest extends PoolContract {
    @RegisterExtension
    private static final BtrfsDisk DISK = new BtrfsDisk("1G");

    @Override
    String kind() {
        return "btrfs";
    }

    @Override
    Path place() throws IOException {
        return DISK.place();
    }
}
