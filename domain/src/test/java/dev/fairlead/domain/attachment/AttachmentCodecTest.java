package dev.fairlead.domain.attachment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AttachmentCodecTest {
    @Test
    void a_directory_is_spelled_as_the_peer_spells_it() {
        var attachment = new Attachment.HostPath("/srv/v/pvc-1");

        Map<String, String> context = AttachmentCodec.encode(attachment);

        assertThat(context).isEqualTo(Map.of("node_attach_driver", "hostpath", "path", "/srv/v/pvc-1"));
        assertThat(AttachmentCodec.decode(context)).isEqualTo(attachment);
    }

    /** An iSCSI context has all its keys, also the empty ones. */
    @ParameterizedTest
    @MethodSource
    void each_protocol_is_spelled_as_the_peer_spells_it(Attachment attachment, Map<String, String> context) {
        assertThat(AttachmentCodec.encode(attachment)).isEqualTo(context);
        assertThat(AttachmentCodec.decode(context)).isEqualTo(attachment);
    }

    static List<Arguments> each_protocol_is_spelled_as_the_peer_spells_it() {
        String driver = "node_attach_driver";
        return List.of(
                Arguments.of(
                        new Attachment.Nfs("nas", "/tank/v/pvc-1"),
                        Map.of(driver, "nfs", "server", "nas", "share", "/tank/v/pvc-1")),
                Arguments.of(
                        new Attachment.Smb("nas", "tank_v_pvc_1"),
                        Map.of(driver, "smb", "server", "nas", "share", "tank_v_pvc_1")),
                Arguments.of(
                        new Attachment.Lustre("10.0.0.1@tcp:10.0.0.2@tcp", "/scratch/v/pvc-1"),
                        Map.of(driver, "lustre", "server", "10.0.0.1@tcp:10.0.0.2@tcp", "share", "/scratch/v/pvc-1")),
                Arguments.of(
                        new Attachment.Iscsi("nas:3260", List.of("a:1", "b"), "", "iqn.2003-01.x:pvc-1", 0),
                        Map.of(
                                driver,
                                "iscsi",
                                "portal",
                                "nas:3260",
                                "portals",
                                "a:1,b",
                                "interface",
                                "",
                                "iqn",
                                "iqn.2003-01.x:pvc-1",
                                "lun",
                                "0")),
                Arguments.of(
                        new Attachment.Nvmeof("tcp://nas:4420", List.of(), "nqn.2003-01.x:pvc-1", 1),
                        Map.of(
                                driver,
                                "nvmeof",
                                "transport",
                                "tcp://nas:4420",
                                "transports",
                                "",
                                "nqn",
                                "nqn.2003-01.x:pvc-1",
                                "nsid",
                                "1")),
                Arguments.of(
                        new Attachment.ZfsLocal("tank/v/pvc-1"),
                        Map.of(driver, "zfs-local", "zfs_asset_name", "tank/v/pvc-1")),
                Arguments.of(
                        new Attachment.LocalPool("/pool/v/pvc-1/disk.img"),
                        Map.of(driver, "local-pool", "path", "/pool/v/pvc-1/disk.img")));
    }

    @Property
    void what_is_encoded_is_decoded(@ForAll String name) {
        net.jqwik.api.Assume.that(name.indexOf('\0') < 0);
        var attachment = new Attachment.HostPath("/" + name);

        assertThat(AttachmentCodec.decode(AttachmentCodec.encode(attachment))).isEqualTo(attachment);
    }

    @Test
    void entries_of_others_are_passed_over() {
        Map<String, String> context = Map.of(
                "node_attach_driver", "hostpath", "path", "/a", "provisioner_driver", "local-hostpath", "x", "y");

        assertThat(AttachmentCodec.decode(context)).isEqualTo(new Attachment.HostPath("/a"));
    }

    @ParameterizedTest
    @MethodSource
    void a_context_that_names_no_attachment_is_refused_by_its_key(Map<String, String> context, String key) {
        assertThatThrownBy(() -> AttachmentCodec.decode(context))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.InvalidRequest.class))
                .hasMessageContaining("volume_context." + key);
    }

    @Test
    void what_a_node_would_miss_is_told_for_every_protocol() {
        a_context_that_names_no_attachment_is_refused_by_its_key()
                .forEach(it -> assertThat(AttachmentCodec.lack(contextOf(it))).isPresent());
        assertThat(AttachmentCodec.lack(Map.of("node_attach_driver", "iscsi", "iqn", "iqn.x", "lun", "0")))
                .contains("portal");
        assertThat(AttachmentCodec.lack(Map.of("node_attach_driver", "nvmeof", "nqn", "nqn.x", "nsid", "1")))
                .contains("transport");
        assertThat(AttachmentCodec.lack(
                        Map.of("node_attach_driver", "iscsi", "portals", "nas:3260", "iqn", "iqn.x", "lun", "0")))
                .isEmpty();
        assertThat(AttachmentCodec.lack(
                        Map.of("node_attach_driver", "nvmeof", "transports", "tcp://nas", "nqn", "nqn.x", "nsid", "1")))
                .isEmpty();
        assertThat(AttachmentCodec.lack(Map.of("node_attach_driver", "nfs", "server", "nas", "share", "/a")))
                .isEmpty();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> contextOf(Arguments arguments) {
        return (Map<String, String>) arguments.get()[0];
    }

    static List<Arguments> a_context_that_names_no_attachment_is_refused_by_its_key() {
        return List.of(
                Arguments.of(Map.of(), "node_attach_driver"),
                Arguments.of(Map.of("node_attach_driver", "carrier-pigeon", "path", "/a"), "node_attach_driver"),
                Arguments.of(Map.of("node_attach_driver", "hostpath"), "path"),
                Arguments.of(Map.of("node_attach_driver", "nfs", "server", "nas"), "share"),
                Arguments.of(Map.of("node_attach_driver", "nfs", "server", "nas", "share", "relative"), "share"),
                Arguments.of(Map.of("node_attach_driver", "smb", "server", "a\nb", "share", "s"), "server"),
                Arguments.of(Map.of("node_attach_driver", "iscsi", "iqn", "iqn.x"), "lun"),
                Arguments.of(Map.of("node_attach_driver", "iscsi", "iqn", "iqn.x", "lun", "-1"), "lun"),
                Arguments.of(Map.of("node_attach_driver", "nvmeof", "nsid", "1"), "nqn"),
                Arguments.of(Map.of("node_attach_driver", "zfs-local"), "zfs_asset_name"),
                Arguments.of(Map.of("node_attach_driver", "hostpath", "path", "relative"), "path"),
                Arguments.of(Map.of("node_attach_driver", "hostpath", "path", "/a\0b"), "path"));
    }
}
