package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.contract.snapshot.SnapshotGroupsContract;
import dev.fairlead.testkit.contract.snapshot.SnapshotStoreContract;
import dev.fairlead.testkit.contract.volume.ContentTransferContract;
import dev.fairlead.testkit.contract.volume.VolumeAbsenceContract;
import dev.fairlead.testkit.contract.volume.VolumeModificationContract;
import dev.fairlead.testkit.contract.volume.VolumeReplacementContract;
import dev.fairlead.testkit.contract.volume.VolumeStoreContract;
import dev.fairlead.zfs.property.PeerProperties;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** What both kinds of volumes in a pool promise; the other pool is the one that content is transferred to. */
abstract class PoolStoreContract
        implements VolumeStoreContract,
                SnapshotStoreContract,
                SnapshotGroupsContract,
                VolumeModificationContract,
                VolumeAbsenceContract,
                VolumeReplacementContract,
                ContentTransferContract {
    final ZfsFixture fixture;
    private final VolumeMedium.Kind kind;
    private final ZfsFixture other;
    private String another = "";

    PoolStoreContract(ZfsFixture fixture, VolumeMedium.Kind kind) {
        this.fixture = fixture;
        this.kind = kind;
        this.other = new ZfsFixture(kind, Map.of("datasetParentName", "tank/v", "datasetEnableQuotas", true));
    }

    @Override
    public VolumeStore store() {
        return fixture.open();
    }

    @Override
    public void write(StoredVolume volume, String file, String content) {
        fixture.pool().files("tank/v/" + volume.id()).put(file, content);
    }

    @Override
    public Optional<String> read(StoredVolume volume, String file) {
        return Optional.ofNullable(fixture.pool().files("tank/v/" + volume.id()).get(file));
    }

    @Override
    public VolumeStore elsewhere() {
        return other.open();
    }

    @Override
    public Optional<String> readElsewhere(StoredVolume volume, String file) {
        return Optional.ofNullable(other.pool().files("tank/v/" + volume.id()).get(file));
    }

    @Override
    public void verifyElsewhereEmpty() {
        other.verifyEmpty();
    }

    @Override
    public void takeAway() {
        fixture.pool().export();
    }

    @Override
    public void bringBack() {
        fixture.pool().importAgain();
    }

    /** Puts a pool of the same name there, in which another installation has a volume of the same name. */
    @Override
    public void putAnother() {
        Map<String, String> marks = Map.of(PeerProperties.MANAGED, PeerProperties.TRUE);
        fixture.pool().put("tank", "filesystem", Map.of());
        fixture.pool().put("tank/v", "filesystem", Map.of());
        fixture.pool().put("tank/v/pvc-a", kind == VolumeMedium.Kind.BLOCK_DEVICE ? "volume" : "filesystem", marks);
        another = fixture.pool().dump();
    }

    @Override
    public void takeAnotherUntouched() {
        assertThat(fixture.pool().dump()).isEqualTo(another);
        new TreeSet<>(fixture.pool().names()).descendingSet().forEach(fixture.pool()::remove);
    }

    @Override
    public Map<String, String> modified(StoredVolume volume) {
        return fixture.modified(volume);
    }

    @Override
    public void verifyEmpty() {
        fixture.verifyEmpty();
    }
}
