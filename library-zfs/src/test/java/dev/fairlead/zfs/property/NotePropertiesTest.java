package dev.fairlead.zfs.property;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.volume.Notes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The texts are those that democratic-csi was recorded to write. */
class NotePropertiesTest {
    @Test
    void an_iscsi_volumes_context_is_the_peers_to_the_letter() {
        Map<String, String> properties = NoteProperties.write(context(Map.of(
                "node_attach_driver", "iscsi",
                "portal", "1.2.3.4:3260",
                "portals", "1.2.3.5:3260,1.2.3.6",
                "interface", "",
                "iqn", "iqn.2003-01.x:pre-pvc-1-suf",
                "lun", "0",
                "provisioner_driver", "zfs-generic-iscsi",
                "provisioner_driver_instance_id", "inst1")));

        assertThat(properties)
                .containsExactly(
                        Map.entry(PeerProperties.PROVISIONER_DRIVER, "zfs-generic-iscsi"),
                        Map.entry(PeerProperties.PROVISIONER_INSTANCE, "inst1"),
                        Map.entry(
                                PeerProperties.SHARE_CONTEXT,
                                "{\"node_attach_driver\":\"iscsi\",\"portal\":\"1.2.3.4:3260\",\"portals\":\"1.2.3.5:3260,"
                                        + "1.2.3.6\",\"interface\":\"\",\"iqn\":\"iqn.2003-01.x:pre-pvc-1-suf\",\"lun\":0}"));
    }

    @Test
    void an_nfs_volumes_context_keeps_its_order_and_its_apostrophes() {
        Map<String, String> properties = NoteProperties.write(
                context(Map.of("share", "/tank/v/it's", "server", "nas", "node_attach_driver", "nfs")));

        assertThat(properties)
                .containsExactly(Map.entry(
                        PeerProperties.SHARE_CONTEXT,
                        "{\"node_attach_driver\":\"nfs\",\"server\":\"nas\",\"share\":\"/tank/v/it's\"}"));
    }

    @Test
    void what_the_peer_has_no_place_for_is_kept_beside() {
        Map<String, String> notes = new HashMap<>(context(Map.of(
                "node_attach_driver", "nvmeof", "nqn", "nqn.x:a", "nsid", "1", "fairlead.dev/content", "empty")));
        notes.put(Notes.DIGEST, "abc");
        notes.put(Notes.NVMEOF_SUBSYSTEM, "a");

        Map<String, String> properties = NoteProperties.write(notes);

        assertThat(properties)
                .containsEntry(PeerProperties.NVMEOF_ASSET, "a")
                .containsEntry(
                        PeerProperties.SHARE_CONTEXT,
                        "{\"node_attach_driver\":\"nvmeof\",\"nqn\":\"nqn.x:a\",\"nsid\":1}")
                .containsEntry(OwnProperties.NOTES, "{\"context/fairlead.dev/content\":\"empty\",\"digest\":\"abc\"}");
        assertThat(NoteProperties.read(properties)).isEqualTo(notes);
    }

    @Test
    void ids_that_a_truenas_gave_are_the_peers_to_the_letter() {
        Map<String, String> notes = Map.of(Notes.FREENAS_NFS_SHARE, "17", "freenas/iscsi_assets_name", "pvc-1");

        Map<String, String> properties = NoteProperties.write(notes);

        assertThat(properties)
                .containsOnly(
                        Map.entry("democratic-csi:freenas_nfs_share_id", "17"),
                        Map.entry("democratic-csi:freenas_iscsi_assets_name", "pvc-1"));
        assertThat(NoteProperties.read(properties)).isEqualTo(notes);
    }

    @Test
    void what_is_no_json_says_nothing() {
        assertThat(NoteProperties.read(Map.of(PeerProperties.SHARE_CONTEXT, "{oops", OwnProperties.NOTES, "[1]")))
                .isEmpty();
    }

    @Property
    void all_notes_come_back(@ForAll Map<String, String> texts, @ForAll List<Boolean> contexts) {
        Map<String, String> notes = new TreeMap<>();
        List<Boolean> kinds = new ArrayList<>(contexts);
        texts.forEach((key, value) ->
                notes.put(!kinds.isEmpty() && kinds.removeLast() ? Notes.CONTEXT_PREFIX + key : "n" + key, value));

        assertThat(NoteProperties.read(NoteProperties.write(notes))).isEqualTo(notes);
    }

    private static Map<String, String> context(Map<String, String> context) {
        return Notes.ofContext(context);
    }
}
