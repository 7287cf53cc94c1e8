package dev.fairlead.adapter.local.pool;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("machine")
class XfsSizesTest extends ProjectSizesContract {
    @RegisterExtension
    private static final ProjectDisk DISK = new ProjectDisk("xfs");

    @Override
    String kind() {
        return "xfs";
    }

    @Override
    ProjectDisk disk() {
        return DISK;
    }
}
