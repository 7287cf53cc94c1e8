package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.volume.ContentTransferContract;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** What the contract of transfers asks, of real streams between two pools. */
@OnStorage
class TransferContractOnStorageTest {
    private Optional<ZfsPoolFixture> fixture = Optional.empty();

    @BeforeEach
    void enter(StorageHost host) {
        fixture = Optional.of(new ZfsPoolFixture(host));
        rig().shell("zfs create -p " + rig().parent() + " && zfs create -p " + elsewhereParent());
    }

    /** The second pool is nobody's after the test but ours. */
    @AfterEach
    void leave() {
        rig().shell("zfs destroy -R " + elsewhereParent().replaceFirst("/v$", ""));
    }

    private ZfsPoolFixture rig() {
        return fixture.orElseThrow();
    }

    private String elsewhereParent() {
        String parent = rig().host().parent();
        return "small/" + parent.substring(parent.lastIndexOf('/') + 1) + "/v";
    }

    /** It looks at what is left before the second pool is emptied. */
    @Nested
    class Contract implements ContentTransferContract {
        @Override
        public VolumeStore store() {
            return rig().filesystems(Map.of("datasetPermissionsMode", "0777"));
        }

        @Override
        public VolumeStore elsewhere() {
            return rig().filesystems(Map.of("datasetParentName", elsewhereParent(), "datasetEnableQuotas", true));
        }

        @Override
        public void write(StoredVolume volume, String file, String content) {
            rig().write(volume, file, content);
        }

        @Override
        public Optional<String> read(StoredVolume volume, String file) {
            return rig().read(volume, file);
        }

        @Override
        public Optional<String> readElsewhere(StoredVolume volume, String file) {
            return rig().read(volume, file);
        }

        @Override
        public void verifyEmpty() {
            assertThat(rig().left()).isEmpty();
        }

        @Override
        public void verifyElsewhereEmpty() {
            assertThat(rig().shell("zfs list -H -o name -t all -r " + elsewhereParent())
                            .strip())
                    .isEqualTo(elsewhereParent());
        }
    }
}
