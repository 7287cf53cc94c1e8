package dev.fairlead.adapter.zfs.store.destroy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.zfs.store.ZfsFixture;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.settings.ForeignSnapshots;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DiscardTest {
    private static final NativeId ID = new NativeId("pvc-1");
    private static final DatasetName NAME = new DatasetName("tank/v/pvc-1");

    private final Map<String, String> keys = Map.of("datasetParentName", "tank/v");
    private final ZfsFixture fixture = new ZfsFixture(VolumeMedium.Kind.FILESYSTEM, keys);

    private void discard() {
        var connection = fixture.pool().connection(ZfsFixture.settings(keys));
        new DatasetRemoval(
                        connection.host(),
                        DatasetType.FILESYSTEM,
                        connection.layout().parents().all(),
                        ForeignSnapshots.DESTROY)
                .discard(ID, NAME, "it differs", TestWork.patient());
    }

    /** Whoever had begun it was only slow. */
    @Test
    void what_was_finished_since_it_was_looked_at_stays() {
        try (VolumeStore store = fixture.open()) {
            store.create(store.plan(TestVolumes.empty("pvc-1"), ID), TestWork.patient());

            Failing.with(Failure.BackendUnavailable.class, this::discard);
            assertThat(fixture.pool().names()).contains(NAME.value());

            fixture.pool().play(List.of("zfs", "set", OwnProperties.STATE + "=" + OwnProperties.MAKING, NAME.value()));
            discard();
            discard();
        }
        fixture.verifyEmpty();
    }
}
