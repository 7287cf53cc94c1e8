package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.DriverProfile.Controller;
import dev.fairlead.application.port.in.DriverProfile.Node;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.StoreTraits;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.VolumeMedium;
import jakarta.inject.Provider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    void every_store_and_exporter_that_is_built_in_has_a_row_that_joins_it() {
        var graph = DaggerFactoryComponent.create();
        List<DriverType> built =
                types.rows().stream().filter(DriverType::isAvailable).toList();

        assertThat(built)
                .extracting(DriverType::store)
                .containsAll(graph.stores().keySet());
        assertThat(built)
                .extracting(DriverType::exporter)
                .containsAll(graph.exporters().keySet());
    }

    @Test
    void a_store_and_an_exporter_that_are_joined_fit() {
        assertThat(types.rows())
                .filteredOn(DriverType::isAvailable)
                .isNotEmpty()
                .allSatisfy(type -> assertThat(type.storeTraits().media())
                        .contains(type.exporterTraits().orElseThrow().accepts()));
    }

    @Test
    void a_class_may_say_what_the_store_and_the_exporter_understand() {
        assertThat(types.named("zfs-generic-nvmeof").orElseThrow().parameters())
                .contains("parent", "nvmeof.ctrl_loss_tmo", "nvmeof.queue_size");
        assertThat(types.named("zfs-generic-iscsi").orElseThrow().parameters())
                .contains("parent")
                .doesNotContain("nvmeof.ctrl_loss_tmo");
    }

    @Test
    void a_row_without_a_module_is_planned_and_promises_nothing() {
        DriverType planned = types.named("synology-nfs").orElseThrow();

        assertThat(planned.state()).isEqualTo(DriverType.State.PLANNED);
        assertThat(planned.attachment()).isEmpty();
        assertThat(planned.controller()).isEmpty();
        assertThat(planned.node()).isEmpty();
    }

    /** A hybrid is a row: what it can do is its store's and its exporter's. */
    @Test
    void a_type_that_keeps_volumes_by_ssh_and_shares_them_by_an_api_has_the_traits_of_both() {
        DriverType hybrid = types.named("truenas-iscsi").orElseThrow();
        DriverType zfs = types.named("zfs-generic-iscsi").orElseThrow();
        DriverType api = types.named("truenas-api-iscsi").orElseThrow();

        assertThat(hybrid.storeTraits()).isEqualTo(zfs.storeTraits());
        assertThat(hybrid.exporterTraits()).isEqualTo(api.exporterTraits());
        assertThat(hybrid.defaults()).containsExactlyInAnyOrder("sshConnection", "httpConnection", "zfs", "iscsi");
    }

    @Test
    void a_client_type_reads_the_block_of_its_protocol_and_all_others_that_of_their_name() {
        assertThat(types.named("nfs-client").orElseThrow().block()).isEqualTo("nfs");
        assertThat(types.rows())
                .filteredOn(type -> !type.name().endsWith("-client"))
                .allSatisfy(type -> assertThat(type.block()).isEqualTo(type.name()));
    }

    @Test
    void a_row_of_which_only_one_half_is_built_in_is_planned() {
        var graph = DaggerFactoryComponent.create();
        Set<Class<?>> attachable = Set.of(Attachment.HostPath.class);

        assertThat(List.of(
                        DriverTypes.of(Map.of(), graph.exporters(), attachable),
                        DriverTypes.of(graph.stores(), Map.of(), attachable)))
                .allSatisfy(half -> assertThat(half.rows()).noneMatch(DriverType::isAvailable));
    }

    @Test
    void a_factory_is_made_only_for_a_row_that_is_asked_for() {
        var graph = DaggerFactoryComponent.create();
        List<String> made = new ArrayList<>();
        DriverTypes table = DriverTypes.made(
                noting(graph.storeProviders(), made), noting(graph.exporterProviders(), made), Set.of());

        assertThat(table.available()).contains("zfs-generic-nfs");
        assertThat(made).isEmpty();
        assertThat(table.named("local-hostpath")).isPresent();
        assertThat(made).containsExactlyInAnyOrder("directory", "local-path");
    }

    private static <T> Map<String, Provider<T>> noting(Map<String, Provider<T>> factories, List<String> made) {
        Map<String, Provider<T>> noting = new HashMap<>();
        factories.forEach((key, factory) -> noting.put(key, () -> {
            made.add(key);
            return factory.get();
        }));
        return noting;
    }

    @Test
    void what_a_type_offers_derives_from_its_store_and_its_exporter() {
        DriverType folders = types.named("local-hostpath").orElseThrow();
        DriverType shares = types.named("zfs-generic-nfs").orElseThrow();

        assertThat(folders.controller())
                .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(EnumSet.of(
                        Controller.MODIFY_VOLUME, Controller.PUBLISH_UNPUBLISH_VOLUME, Controller.PUBLISH_READONLY)));
        assertThat(folders.node())
                .containsExactlyInAnyOrderElementsOf(
                        EnumSet.complementOf(EnumSet.of(Node.VOLUME_MOUNT_GROUP, Node.VOLUME_CONDITION)));
        assertThat(types.named("zfs-generic-smb").orElseThrow().node())
                .contains(Node.VOLUME_MOUNT_GROUP)
                .doesNotContain(Node.EXPAND_VOLUME);
        assertThat(types.named("node-manual").orElseThrow().node()).contains(Node.EXPAND_VOLUME);
        assertThat(folders.nodeLocal()).isTrue();
        assertThat(shares.controller()).contains(Controller.MODIFY_VOLUME).hasSize(11);
        assertThat(shares.node())
                .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(
                        EnumSet.of(Node.EXPAND_VOLUME, Node.VOLUME_MOUNT_GROUP, Node.VOLUME_CONDITION)));
        assertThat(shares.groups()).isTrue();
        assertThat(shares.nodeLocal()).isFalse();
    }

    @Test
    void a_store_without_snapshots_promises_no_clones_either() {
        StoreFactory plain =
                StoreFactory.of(new StoreTraits(Set.of(VolumeMedium.Kind.FILESYSTEM), Set.of(), Set.of()), (_, _) -> {
                    throw new IllegalStateException("a table opens no store");
                });

        DriverType type = DriverTypes.of(
                        Map.of("plain", plain), DaggerFactoryComponent.create().exporters(), Set.of())
                .with("plain-hostpath", "plain", "local-path", "")
                .named("plain-hostpath")
                .orElseThrow();

        assertThat(type.controller())
                .contains(Controller.CREATE_DELETE_VOLUME)
                .doesNotContain(Controller.CREATE_DELETE_SNAPSHOT, Controller.CLONE_VOLUME);
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
