package dev.fairlead.adapter.local.pool;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BtrfsAdversityTest extends PoolAdversityContract {
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

    @Override
    @Tag("long")
    @ParameterizedTest
    @EnumSource
    void storage_may_lie_about_anything(Verb verb) throws IOException {
        super.storage_may_lie_about_anything(verb);
    }
}
