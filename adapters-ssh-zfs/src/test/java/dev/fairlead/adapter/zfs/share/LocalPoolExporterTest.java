package dev.fairlead.adapter.zfs.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.contract.export.ExporterAbsenceContract;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocalPoolExporterTest implements ExporterAbsenceContract {
    private final ShareFixture fixture = new ShareFixture();

    @Override
    public Exporter exporter() {
        return new LocalPoolExporter(fixture.connection(), VolumeMedium.Kind.FILESYSTEM);
    }

    @Override
    public Birth birth(String name) {
        return ShareFixture.birth(name);
    }

    @Override
    public StoredVolume volume(Birth birth, Map<String, String> notes) {
        return fixture.volume(birth, notes);
    }

    @Override
    public void remove(StoredVolume volume) {
        fixture.remove(volume);
    }

    @Override
    public void takeAway() {
        fixture.pool().export();
    }

    @Override
    public void bringBack() {
        fixture.pool().importAgain();
    }

    @Override
    public boolean asksTheStorage() {
        return false;
    }

    @Override
    public int exports() {
        return 0;
    }

    @Test
    void a_node_is_told_the_whole_name_of_the_dataset() {
        try (Exporter exporter = exporter()) {
            assertThat(exporter.plan(birth("pvc-1")).attachment()).contains(new Attachment.ZfsLocal("tank/v/pvc-1"));
        }
    }
}
