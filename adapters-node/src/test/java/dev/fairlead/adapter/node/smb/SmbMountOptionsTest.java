package dev.fairlead.adapter.node.smb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.share.ShareAttacher;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import dev.fairlead.testkit.fake.node.FakeMounts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the words of a PersistentVolume and its secret. */
class SmbMountOptionsTest {
    private static final Attachment.Smb SHARE = new Attachment.Smb("nas", "vol");
    private static final String READ_FROM_INPUT = "credentials=/proc/self/fd/0";

    private static ShareAttacher<Attachment.Smb> attacher() {
        return new ShareAttacher<>(new FakeMounts(), new SmbProtocol());
    }

    private static Filesystem attached(
            Attachment.Smb share, VolumeCapability.Mount mount, Map<String, String> secrets) {
        Map<String, Secret> concealed = new LinkedHashMap<>();
        secrets.forEach((key, value) -> concealed.put(key, new Secret(value)));
        return AttachCalls.share(attacher(), share, mount, concealed);
    }

    private static Filesystem attached(
            Attachment.Smb share, String fsType, List<String> flags, Map<String, String> secrets) {
        return attached(share, new VolumeCapability.Mount(fsType, flags), secrets);
    }

    private static List<String> forGroup(String group, String... flags) {
        return attached(SHARE, new VolumeCapability.Mount("", List.of(flags), group), Map.of())
                .options();
    }

    @Test
    void a_group_may_read_and_write_unless_the_class_says_otherwise() {
        assertThat(forGroup("2000", "vers=3.0"))
                .containsExactly("vers=3.0", "gid=2000", "file_mode=0775", "dir_mode=0775", "guest");
        assertThat(forGroup("2000", "gid=5,file_mode=0600"))
                .containsExactly("gid=5", "file_mode=0600", "dir_mode=0775", "guest");
        assertThat(forGroup("", "vers=3.0")).containsExactly("vers=3.0", "guest");
    }

    private static Filesystem attached(List<String> flags, Map<String, String> secrets) {
        return attached(SHARE, "", flags, secrets);
    }

    private static String input(Filesystem filesystem) {
        return filesystem.input().orElseThrow().reveal();
    }

    @Test
    void without_a_user_it_is_mounted_as_a_guest() {
        Filesystem share = attached(List.of("vers=3.0", "defaults"), Map.of());

        assertThat(share).isEqualTo(Filesystem.of("cifs", "//nas/vol", List.of("vers=3.0", "guest")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"guest", "sec=none", "sec=krb5", "sec=krb5i"})
    void who_needs_no_password_gets_no_option_more(String option) {
        assertThat(attached(List.of(option), Map.of()).options()).containsExactly(option);
    }

    @Test
    void who_logs_in_is_read_from_the_input_and_stands_in_no_option() {
        Filesystem share = attached(
                List.of("uid=1000,gid=1000", "vers=3.1.1", "seal"),
                Map.of("username", "keeper", "password", "a,b =c'\"\\ ", "domain", "LAB"));

        assertThat(share.options()).containsExactly("uid=1000", "gid=1000", "vers=3.1.1", "seal", READ_FROM_INPUT);
        assertThat(input(share)).isEqualTo("username=keeper\npassword=a,b =c'\"\\ \ndomain=LAB\n");
        assertThat(share.toString()).doesNotContain("keeper", "LAB", "a,b");
    }

    @Test
    void the_mount_flags_of_a_secret_say_who_logs_in_as_with_democratic_csi() {
        Filesystem share =
                attached(List.of("noperm"), Map.of("mount_flags", "username=foo,password=bar,dom=LAB,vers=3.0"));

        assertThat(share.options()).containsExactly("noperm", "vers=3.0", READ_FROM_INPUT);
        assertThat(input(share)).isEqualTo("username=foo\npassword=bar\ndomain=LAB\n");
    }

    @Test
    void a_context_with_categories_is_one_option_between_those_of_who_logs_in() {
        String context = "context=\"system_u:object_r:container_file_t:s0:c1,c2\"";

        Filesystem share =
                attached(List.of("noperm", context), Map.of("mount_flags", "user=foo," + context + ",pass=b"));

        assertThat(share.options()).containsExactly("noperm", context, READ_FROM_INPUT);
        assertThat(input(share)).isEqualTo("username=foo\npassword=b\n");
    }

    @Test
    void of_options_that_contradict_each_other_the_last_counts() {
        assertThat(attached(List.of("nobrl", "brl", "guest"), Map.of("mount_flags", "nobrl"))
                        .options())
                .containsExactly("brl", "guest", "nobrl");
    }

    @Test
    void a_password_in_the_mount_options_of_a_volume_is_moved_to_the_input() {
        Filesystem share = attached(List.of("USER=foo", "Pass=hunter2", "noperm"), Map.of());

        assertThat(share.options()).containsExactly("noperm", READ_FROM_INPUT);
        assertThat(input(share)).isEqualTo("username=foo\npassword=hunter2\n");
    }

    @Test
    void the_secret_comes_before_the_mount_options() {
        Filesystem share = attached(
                List.of("username=old", "password=old"),
                Map.of("mount_flags", "username=new,password=old", "password", "newest"));

        assertThat(input(share)).isEqualTo("username=new\npassword=newest\n");
    }

    @ParameterizedTest
    @CsvSource({
        "username, keeper, secrets.password",
        "password, hunter2, secrets.username",
        "domain, LAB, secrets.username"
    })
    void half_of_a_login_is_refused_by_the_key_that_is_missing(String key, String value, String missing) {
        assertThatThrownBy(() -> attached(List.of(), Map.of(key, value)))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        it -> assertThat(it.failure()).isInstanceOf(Failure.InvalidRequest.class))
                .hasMessageContaining(missing)
                .hasMessageContaining("node-stage-secret-name")
                .hasMessageNotContaining(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"two\nlines", "tab\tbed", "nul\0"})
    void a_value_that_would_become_another_line_is_refused_and_not_said(String value) {
        assertThatThrownBy(() -> attached(List.of(), Map.of("username", "keeper", "password", value)))
                .hasMessageContaining("secrets.password")
                .hasMessageNotContaining(value);
    }

    @Test
    void a_value_that_mount_cifs_would_cut_off_is_refused() {
        assertThatThrownBy(() -> attached(List.of(), Map.of("username", "keeper", "password", "x".repeat(512))))
                .hasMessageContaining("secrets.password")
                .hasMessageContaining("at most 511");
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, vol, //10.0.0.1/vol",
        "fd00::1, vol, //fd00::1/vol",
        "[fd00::1], vol, //fd00::1/vol",
        "nas, /vol/, //nas/vol",
        "nas, v/pvc-1//sub, //nas/v/pvc-1/sub",
        "nas, hidden$, //nas/hidden$",
        "nas, My Share/a b, //nas/My Share/a b"
    })
    void servers_and_shares_become_a_source(String server, String share, String source) {
        assertThat(attached(new Attachment.Smb(server, share), "", List.of(), Map.of())
                        .source())
                .isEqualTo(source);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-o", "nas,other", "nas:445", "a b", "nas/other", "nas\\other", "[nas", "$(id)"})
    void a_hostile_server_is_refused_by_its_key(String server) {
        assertThatThrownBy(() -> attached(new Attachment.Smb(server, "vol"), "", List.of(), Map.of()))
                .hasMessageContaining("volume_context.server");
    }

    @ParameterizedTest
    @ValueSource(strings = {"vol/../other", "..", "vol,sec=none", "vol\\x", "vol/.", "/", "vol/ /x"})
    void a_hostile_share_is_refused_by_its_key(String share) {
        assertThatThrownBy(() -> attached(new Attachment.Smb("nas", share), "", List.of(), Map.of()))
                .hasMessageContaining("volume_context.share");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-o",
                "suid",
                "dev",
                "remount",
                "x-mount.mkdir",
                "helper=sh",
                "credentials=/etc/shadow",
                "cred=/etc/shadow",
                "unc=//other/share",
                "prefixpath=../x",
                "source=//other/x",
                "password2=hunter2",
                "ro\nsuid",
                "context=\"a,credentials=/etc/shadow,b\"",
                "context=\"a:b:c:s0:c1,credentials=/etc/shadow\"",
                "CONTEXT=\"x,suid\"",
                "secret=hunter2\""
            })
    void a_hostile_option_is_refused_and_what_it_holds_is_not_said(String option) {
        assertThatThrownBy(() -> attached(List.of(option), Map.of()))
                .hasMessageContaining("mount_flags")
                .hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> attached(List.of(), Map.of("mount_flags", option)))
                .hasMessageContaining("secrets.mount_flags")
                .hasMessageNotContaining("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "nfs", "-o"})
    void another_file_system_is_refused(String type) {
        assertThatThrownBy(() -> attached(SHARE, type, List.of(), Map.of())).hasMessageContaining("fs_type");
    }

    @ParameterizedTest
    @CsvSource({
        "//NAS/Vol, /, vol, true",
        "\\\\nas\\vol, /, vol, true",
        "//nas/vol, /pvc-1, vol/pvc-1, true",
        "//nas/vol/pvc-2, /pvc-1, vol/pvc-1, true",
        "//nas/vol/pvc-1, /, vol/pvc-1, true",
        "//nas/vol/pvc-1, /, vol/PVC-1, false",
        "//nas/vol, /pvc-1, vol, false",
        "//nas/vol, /, vol/pvc-1, false",
        "//nas2/vol, /, vol, false",
        "//nas/vol2, /, vol, false",
        "//fd00::1/vol, /, vol, false"
    })
    void a_mount_is_known_by_its_share_and_its_folder(String source, String root, String share, boolean same) {
        MountEntry mount = entry("cifs", source, root);

        assertThat(attacher().shows(new Attachment.Smb("nas", share), mount, TestWork.patient()))
                .isEqualTo(same);
    }

    @Test
    void a_mount_that_another_driver_made_is_recognised() {
        ShareAttacher<Attachment.Smb> attacher = attacher();

        assertThat(attacher.recognise(entry("smb3", "//nas/vol/pvc-1", "/"), TestWork.patient()))
                .contains(new Attachment.Smb("nas", "vol/pvc-1"));
        assertThat(attacher.recognise(entry("nfs4", "nas:/vol", "/"), TestWork.patient()))
                .isEmpty();
    }

    private static MountEntry entry(String type, String source, String root) {
        return new MountEntry(30, 20, "0:50", root, "/globalmount", List.of("rw"), type, source, List.of("rw"));
    }
}
