package dev.fairlead.adapter.local.pool;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs what takes little time of {@link BtrfsPoolTest}. */
class BtrfsSampleTest extends PoolSampleContract {
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
