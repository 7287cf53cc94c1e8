package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a clone and a copy have of the connection's properties, on a real pool. */
@OnStorage
class CopiedPropertiesOnStorageTest {
    private static StoredVolume make(VolumeStore store, CreateRequest request, Map<String, String> parameters) {
        var asked = new CreateRequest(
                request.name(), request.capacity(), request.capabilities(), parameters, request.content());
        return store.create(store.plan(asked, new NativeId(asked.name().value())), TestWork.patient())
                .volume();
    }

    /** ZFS gives them their parent's, unless these are set on them. */
    @Test
    void acls_are_on_in_clones_and_copies(StorageHost host) {
        ZfsPoolFixture fixture = new ZfsPoolFixture(host);
        var properties = Map.of("acltype", "posix", "aclinherit", "passthrough");
        try (VolumeStore store = fixture.filesystems(Map.of("datasetProperties", properties))) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-1"), Map.of());
            make(store, TestVolumes.fromVolume("pvc-2", source.id()), Map.of());
            make(store, TestVolumes.fromVolume("pvc-3", source.id()), Map.of("detachedVolumesFromVolumes", "true"));

            for (String name : List.of("pvc-1", "pvc-2", "pvc-3")) {
                assertThat(fixture.shell("zfs get -Hp -o value acltype,aclinherit " + fixture.parent() + "/" + name)
                                .lines())
                        .as(name)
                        .containsExactly("posix", "passthrough");
            }
        }
    }
}
