package dev.fairlead.adapter.local.pool;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("machine")
class ZfsPoolTest extends PoolContract {
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
}
