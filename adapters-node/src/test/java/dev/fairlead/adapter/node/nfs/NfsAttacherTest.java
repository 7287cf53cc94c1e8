package dev.fairlead.adapter.node.nfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.share.ShareAttacher;
import dev.fairlead.adapter.node.share.ShareAttacherContract;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.FakeMounts;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the words of a PersistentVolume; the mounts themselves are in memory. */
class NfsAttacherTest implements ShareAttacherContract<Attachment.Nfs> {
    private final FakeMounts mounts = new FakeMounts();

    @Override
    public FakeMounts mounts() {
        return mounts;
    }

    @Override
    public ShareAttacher<Attachment.Nfs> attacher() {
        return new ShareAttacher<>(mounts, new NfsProtocol());
    }

    @Override
    public Attachment.Nfs volume(String name) {
        return new Attachment.Nfs("nas.example.org", "/mnt/tank/v/" + name);
    }

    @Override
    public Attachment.Nfs absent() {
        mounts.withoutShare("nas.example.org:/mnt/tank/v/absent");
        return volume("absent");
    }

    private Filesystem attached(String server, String share) {
        return attached(new Attachment.Nfs(server, share), "", List.of(), "");
    }

    @Test
    void options_keep_their_order_and_those_of_the_secret_come_last() {
        Filesystem share = attached(
                new Attachment.Nfs("nas", "/tank/a"),
                "nfs",
                List.of("noatime", "nfsvers=4.2,nconnect=8", "defaults"),
                "sec=krb5p,noatime");

        assertThat(share)
                .isEqualTo(Filesystem.of(
                        "nfs", "nas:/tank/a", List.of("nfsvers=4.2", "nconnect=8", "sec=krb5p", "noatime")));
    }

    @Test
    void a_context_with_categories_is_one_option_wherever_it_comes_from() {
        String context = "context=\"system_u:object_r:container_file_t:s0:c1,c2\"";

        assertThat(attached(
                                new Attachment.Nfs("nas", "/tank/a"),
                                "",
                                List.of("noatime," + context, "c2=1", context),
                                "ro," + context + ",nconnect=8")
                        .options())
                .containsExactly("noatime", "c2=1", "ro", context, "nconnect=8");
    }

    @Test
    void of_options_that_contradict_each_other_the_last_counts() {
        assertThat(attached(new Attachment.Nfs("nas", "/tank/a"), "", List.of("nolock", "lock"), "nolock")
                        .options())
                .containsExactly("lock", "nolock");
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, /tank/a, 10.0.0.1:/tank/a",
        "fd00::1, /tank/a, [fd00::1]:/tank/a",
        "[fd00::1], /tank/a/, [fd00::1]:/tank/a",
        "fe80::1%eth0, /a b, [fe80::1%eth0]:/a b",
        "NAS-1.example.org, /, NAS-1.example.org:/",
        "nas, /tank/v/pvc-1/sub, nas:/tank/v/pvc-1/sub"
    })
    void servers_and_shares_become_a_source(String server, String share, String source) {
        assertThat(attached(server, share).source()).isEqualTo(source);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-o", "nas,other", "nas:/x", "a b", "nas;id", ".nas", "[nas", "$(id)"})
    void a_hostile_server_is_refused_by_its_key(String server) {
        assertThatThrownBy(() -> attached(server, "/tank/a"))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        it -> assertThat(it.failure()).isInstanceOf(Failure.InvalidRequest.class))
                .hasMessageContaining("volume_context.server");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/tank/../etc", "/..", "/a,b", "/a\nb", "/a/.."})
    void a_hostile_share_is_refused_by_its_key(String share) {
        assertThatThrownBy(() -> attached("nas", share)).hasMessageContaining("volume_context.share");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-o",
                "--bind",
                "suid",
                "dev",
                "remount",
                "bind",
                "x-mount.mkdir",
                "X-mount.idmap=1",
                "helper=sh",
                "password=hunter2",
                "ro noexec",
                "ro\nsuid",
                "ro,suid",
                "context=\"x,suid\"",
                "context=\"a:b:c:s0:c1,suid\"",
                "context=\"a:b:c:s0:c1,c2\"x",
                "context=\"a:b:c:s0\",suid",
                "context=\\\"a:b:c:s0:c1,suid,c2\\\"",
                "nfsvers=\"4,suid\"",
                "clientaddr=\"hunter2",
                "retry=1\\,ro"
            })
    void a_hostile_option_is_refused_and_what_it_holds_is_not_said(String option) {
        assertThatThrownBy(() -> attached(new Attachment.Nfs("nas", "/a"), "", List.of(option), ""))
                .hasMessageContaining("mount_flags")
                .hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> attached(new Attachment.Nfs("nas", "/a"), "", List.of(), option))
                .hasMessageContaining("secrets.mount_flags")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void a_quote_that_one_item_opens_is_not_closed_by_another() {
        assertThatThrownBy(() ->
                        attached(new Attachment.Nfs("nas", "/a"), "", List.of("context=\"a:b:c:s0:c1", "c2\""), ""))
                .hasMessageContaining("mount_flags")
                .hasMessageContaining("quotes in pairs");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "cifs", "-o"})
    void another_file_system_is_refused(String type) {
        assertThatThrownBy(() -> attached(new Attachment.Nfs("nas", "/a"), type, List.of(), ""))
                .hasMessageContaining("fs_type");
    }

    @Test
    void a_mount_that_another_driver_made_is_recognised_whatever_its_slashes_and_letters() {
        mounts.existing(Path.of("/globalmount"));
        mounts.mount(
                Filesystem.of("nfs4", "NAS.example.org:/mnt/tank/v/pvc-1/", List.of()),
                Path.of("/globalmount"),
                TestWork.patient());
        var mount = mounts.at(Path.of("/globalmount"), TestWork.patient()).orElseThrow();

        assertThat(attacher().shows(volume("pvc-1"), mount, TestWork.patient())).isTrue();
        assertThat(attacher().shows(volume("pvc-10"), mount, TestWork.patient()))
                .isFalse();
        assertThat(attacher().recognise(mount, TestWork.patient())).isPresent();
        assertThat(attacher().mountPoints(volume("pvc-1"), TestWork.patient())).containsExactly("/globalmount");
    }
}
