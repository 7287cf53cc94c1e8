package dev.fairlead.adapter.zfs.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.VolumeMedium;
import org.junit.jupiter.api.Test;

class LocalPoolExporterTest implements ShareSubject {
    private final ShareFixture fixture = new ShareFixture();

    @Override
    public Exporter exporter() {
        return new LocalPoolExporter(fixture.connection(), VolumeMedium.Kind.FILESYSTEM);
    }

    @Override
    public ShareFixture fixture() {
        return fixture;
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
