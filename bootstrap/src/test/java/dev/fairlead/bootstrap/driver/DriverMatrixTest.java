package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.bootstrap.check.DaggerCheckComponent;
import dev.fairlead.domain.attachment.Attachment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DriverMatrixTest {
    private final DriverTypes types = DriverTypes.all();

    @Test
    void the_readme_holds_the_table_word_for_word() throws IOException {
        Path readme = Files.exists(Path.of("README.md")) ? Path.of("README.md") : Path.of("../README.md");

        assertThat(readme)
                .content()
                .contains("<!-- drivers -->\n" + DriverMatrix.markdown(types) + "<!-- /drivers -->");
    }

    @Test
    void what_is_available_has_a_store_and_an_exporter_in_the_graph() {
        var graph = DaggerCheckComponent.create();

        assertThat(types.rows())
                .filteredOn(DriverType::isAvailable)
                .isNotEmpty()
                .allSatisfy(type -> {
                    assertThat(graph.stores()).containsKey(type.store());
                    assertThat(graph.exporters()).containsKey(type.exporter());
                });
    }

    @Test
    void what_nodes_attach_decides_which_types_pods_can_use() {
        DriverTypes ofNfs = DriverTypes.all(Set.of(Attachment.Nfs.class));

        assertThat(ofNfs.named("zfs-generic-nfs").map(DriverType::isAttachable)).contains(true);
        assertThat(ofNfs.named("zfs-generic-iscsi").map(DriverType::state)).contains(DriverType.State.CONTROLLER);
        assertThat(ofNfs.named("local-hostpath").map(DriverType::state)).contains(DriverType.State.CONTROLLER);
        assertThat(types.named("local-hostpath").map(DriverType::isAttachable)).contains(true);
    }

    @Test
    void every_attacher_stands_under_what_it_attaches() {
        var attachers = DaggerAttacherComponent.create().attachers();

        assertThat(attachers).isNotEmpty();
        attachers.forEach(
                (attachment, attacher) -> assertThat(attacher.get().handles()).isEqualTo(attachment));
    }

    @Test
    void every_name_of_democratic_csi_is_known() {
        assertThat(types.rows())
                .extracting(DriverType::name)
                .contains(
                        "freenas-nfs",
                        "freenas-smb",
                        "freenas-iscsi",
                        "truenas-nfs",
                        "truenas-smb",
                        "truenas-iscsi",
                        "freenas-api-nfs",
                        "freenas-api-smb",
                        "freenas-api-iscsi",
                        "synology-nfs",
                        "synology-smb",
                        "synology-iscsi",
                        "zfs-generic-nfs",
                        "zfs-generic-smb",
                        "zfs-generic-iscsi",
                        "zfs-generic-nvmeof",
                        "zfs-local-dataset",
                        "zfs-local-zvol",
                        "zfs-local-ephemeral-inline",
                        "smb-client",
                        "nfs-client",
                        "local-hostpath",
                        "lustre-client",
                        "objectivefs",
                        "node-manual",
                        "proxy");
    }
}
