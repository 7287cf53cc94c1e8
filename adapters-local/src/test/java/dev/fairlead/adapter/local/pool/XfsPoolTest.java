package dev.fairlead.adapter.local.pool;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("machine")
class XfsPoolTest extends PoolContract {
    @RegisterExtension
    private static final ProjectDisk DISK = new ProjectDisk("xfs");

    @Override
    String kind() {
        return "xfs";
    }

    @Override
    Path place() throws IOException {
        return DISK.place();
    }
}
