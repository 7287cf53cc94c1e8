package dev.fairlead.adapter.node.iscsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a PersistentVolume and its secret may say, and what is refused before anything is run. */
class IscsiRequestTest {
    private static final String IQN = "iqn.2026-11.test.lab:stor";
    private static final String AUTH = "node-db.node.session.auth.";

    private static Attachment.Iscsi target(String portal, String... more) {
        return new Attachment.Iscsi(portal, List.of(more), "", IQN, 0);
    }

    private static IscsiRequest request(Attachment.Iscsi attachment, Map<String, Secret> secrets) {
        return IscsiRequest.of(
                new Attach<>("v:one", attachment, TestVolumes.BLOCK, Map.of("unknown", "-x"), Map.of(), secrets));
    }

    private static Failure failure(Attachment.Iscsi attachment, Map<String, Secret> secrets) {
        return Failing.failure(() -> request(attachment, secrets));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-x",
                "10.0.0.1:0",
                "10.0.0.1:70000",
                "a/../b",
                "[::1",
                "host name",
                "h;id",
                "10.0.0.1:3260 -o delete",
                "fe80::1%eth0/..",
                "nas:3260:3260x"
            })
    void a_hostile_portal_is_refused(String portal) {
        assertThat(failure(target(portal), Map.of()).message()).startsWith("volume_context.portal: ");
        assertThat(failure(target("10.0.0.1", portal), Map.of()).message()).startsWith("volume_context.portals: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-T",
                "../../etc",
                "iqn.2026-11.test/../x",
                "iqn.2026-11.te st",
                "iqn.2026-11.a..b",
                "iqn.2026-11.-x",
                "nqn.2026-11.test:x"
            })
    void a_hostile_target_is_refused(String iqn) {
        assertThat(failure(new Attachment.Iscsi("10.0.0.1", List.of(), "", iqn, 0), Map.of())
                        .message())
                .contains("iqn");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-I", "a/b", "..", "eth0 -o delete"})
    void a_hostile_interface_is_refused(String face) {
        assertThat(failure(new Attachment.Iscsi("10.0.0.1", List.of(), face, IQN, 0), Map.of())
                        .message())
                .startsWith("volume_context.interface: ");
    }

    @Test
    void a_lun_beyond_those_of_scsi_is_refused() {
        assertThat(failure(new Attachment.Iscsi("10.0.0.1", List.of(), "", IQN, 16_384), Map.of())
                        .message())
                .contains("0 to 16383");
    }

    @Test
    void more_portals_than_anybody_has_are_refused() {
        String[] portals = IntStream.range(0, 20).mapToObj(it -> "10.0.1." + it).toArray(String[]::new);

        assertThat(failure(target("10.0.0.1", portals), Map.of()).message()).contains("16 at most");
    }

    @ParameterizedTest
    @CsvSource({
        "node-db.node.name, x",
        "node-db.-o, alone",
        "node-db.node.session.auth.username, alone",
        "node-db.node.session.auth.password, alone",
        "node-db.node.session.auth.username_in, alone",
        "'node-db.node.conn[0].address', 10.0.0.9",
        "'node-db.node.session.timeo.x\nnode.name', x",
        "node-db.node.session.timeo.replacement_timeout, '5\nnode.name = x'",
        "node-db.node.session.auth.authmethod, CHAP",
        "mount_flags, suid",
        "mount_flags, -o",
        "mount_flags, 'noatime,journal_path=/dev/sda'"
    })
    void a_hostile_or_incomplete_secret_is_refused_and_not_shown(String key, String value) {
        Failure failure = failure(target("10.0.0.1"), Map.of(key, new Secret(value)));

        assertThat(failure).isInstanceOf(Failure.InvalidRequest.class);
        assertThat(failure.message()).contains("secrets.").doesNotContain("alone", "\n");
    }

    @Test
    void a_target_does_not_prove_itself_to_a_node_that_does_not() {
        Map<String, Secret> secrets =
                Map.of(AUTH + "username_in", new Secret("peer"), AUTH + "password_in", new Secret("alone"));

        assertThat(failure(target("10.0.0.1"), secrets).message())
                .contains("username")
                .doesNotContain("alone");
    }

    @ParameterizedTest
    @ValueSource(strings = {"suid", "-o", "x-mount.mkdir", "loop", "logdev=/dev/sda", "device=/dev/sda"})
    void a_hostile_mount_option_is_refused(String option) {
        VolumeCapability mount = new VolumeCapability(
                new VolumeCapability.Mount("ext4", List.of(option)), AccessMode.SINGLE_NODE_WRITER);

        assertThatThrownBy(() ->
                        IscsiRequest.of(new Attach<>("v:one", target("10.0.0.1"), mount, Map.of(), Map.of(), Map.of())))
                .hasMessageContaining("mount_flags");
    }

    @Test
    void what_is_empty_or_unknown_or_always_set_passes() {
        Map<String, Secret> secrets = Map.of(
                AUTH + "username",
                new Secret("user"),
                AUTH + "password",
                new Secret("a-pass-word-12"),
                AUTH + "username_in",
                new Secret(""),
                AUTH + "password_in",
                new Secret(""),
                "node-db.node.startup",
                new Secret("automatic"),
                "node-db.node.conn[0].timeo.noop_out_timeout",
                new Secret("5"),
                "unknown",
                new Secret("-x"),
                "mount_flags",
                new Secret("noatime,discard"));

        assertThat(request(target("10.0.0.1"), secrets).settings().keySet())
                .containsExactlyInAnyOrder(
                        "node.session.auth.authmethod",
                        "node.session.auth.username",
                        "node.session.auth.password",
                        "node.conn[0].timeo.noop_out_timeout");
    }

    @Test
    void portals_are_taken_once_and_in_their_order() {
        assertThat(Portal.of(target("10.0.0.1", "10.0.0.2", "10.0.0.1:3260", "")))
                .extracting(Portal::toString)
                .containsExactly("10.0.0.1:3260", "10.0.0.2:3260");
        assertThat(request(new Attachment.Iscsi("", List.of("nas_1"), "default", IQN, 0), Map.of()))
                .extracting(IscsiRequest::initiatorInterface)
                .isEqualTo("");
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 10.0.0.1:3260",
        "stor:860, stor:860",
        "fe80::1, [fe80::1]:3260",
        "fe80::1%eth0, [fe80::1%eth0]:3260",
        "[::1]:99, [::1]:99"
    })
    void portals_are_written_with_their_ports(String text, String portal) {
        assertThat(Portal.of(target(text)).getFirst()).hasToString(portal);
    }
}
