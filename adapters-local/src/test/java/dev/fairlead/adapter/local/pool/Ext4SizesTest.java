package dev.fairlead.adapter.local.pool;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("machine")
class Ext4SizesTest extends ProjectSizesContract {
    @RegisterExtension
    private static final ProjectDisk DISK = new ProjectDisk("ext4");

    @Override
    String kind() {
        return "ext4";
    }

    @Override
    ProjectDisk disk() {
        return DISK;
    }
}
