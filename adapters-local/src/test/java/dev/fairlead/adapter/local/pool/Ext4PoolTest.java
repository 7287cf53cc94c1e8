package dev.fairlead.adapter.local.pool;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("machine")
class Ext4PoolTest extends PoolContract {
    @RegisterExtension
    private static final ProjectDisk DISK = new ProjectDisk("ext4");

    @Override
    String kind() {
        return "ext4";
    }

    @Override
    Path place() throws IOException {
        return DISK.place();
    }
}
