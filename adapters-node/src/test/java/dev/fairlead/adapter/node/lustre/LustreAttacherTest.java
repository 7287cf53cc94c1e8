package dev.fairlead.adapter.node.lustre;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.share.ShareAttacher;
import dev.fairlead.adapter.node.share.ShareAttacherContract;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.FakeMounts;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the words of a PersistentVolume; the mounts themselves are in memory. */
class LustreAttacherTest implements ShareAttacherContract<Attachment.Lustre> {
    private final FakeMounts mounts = new FakeMounts();

    @Override
    public FakeMounts mounts() {
        return mounts;
    }

    @Override
    public ShareAttacher<Attachment.Lustre> attacher() {
        return new ShareAttacher<>(mounts, new LustreProtocol());
    }

    @Override
    public Attachment.Lustre volume(String name) {
        return new Attachment.Lustre("10.0.0.1@tcp", "/scratch/v/" + name);
    }

    @Override
    public Attachment.Lustre absent() {
        mounts.withoutShare("10.0.0.1@tcp:/scratch/v/absent");
        return volume("absent");
    }

    private Filesystem attached(String server, String share, String fsType, List<String> flags, String secret) {
        return attached(new Attachment.Lustre(server, share), fsType, flags, secret);
    }

    @Test
    void options_keep_their_order_and_those_of_the_secret_come_last() {
        assertThat(attached("mgs@tcp", "/scratch/v/a/", "lustre", List.of("flock,noatime", "defaults"), "user_xattr"))
                .isEqualTo(Filesystem.of("lustre", "mgs@tcp:/scratch/v/a", List.of("flock", "noatime", "user_xattr")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-o", "a b", "mgs;id", "", "mgs@", "mgs@tcp::x", "$(id)", "mgs@tcp:/scratch"})
    void a_hostile_server_is_refused_by_its_key(String server) {
        assertThatThrownBy(() -> attached(server, "/scratch", "", List.of(), ""))
                .hasMessageContaining("server");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "//", "/scratch/../etc", "/a,b", "/a\nb"})
    void a_hostile_share_is_refused_by_its_key(String share) {
        assertThatThrownBy(() -> attached("mgs@tcp", share, "", List.of(), ""))
                .hasMessageContaining("volume_context.share");
    }

    @ParameterizedTest
    @ValueSource(strings = {"suid", "-o", "x-mount.mkdir"})
    void a_hostile_option_is_refused(String option) {
        assertThatThrownBy(() -> attached("mgs@tcp", "/scratch", "", List.of(option), ""))
                .hasMessageContaining("mount_flags");
        assertThatThrownBy(() -> attached("mgs@tcp", "/scratch", "ext4", List.of(), ""))
                .hasMessageContaining("fs_type");
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1,                    10.0.0.1@tcp,                true",
        "10.0.0.1@tcp0,               10.0.0.1@tcp,                true",
        "10.0.0.1@o2ib1,              10.0.0.1@o2ib1,              true",
        "10.0.0.1@tcp:10.0.0.2@tcp,   10.0.0.1@tcp:10.0.0.2@tcp,   true",
        "mgs.example.org@tcp,         10.0.0.1@tcp,                true",
        "10.0.0.1@tcp,                10.0.0.2@tcp,                false",
        "10.0.0.1@o2ib1,              10.0.0.1@o2ib,               false"
    })
    void a_mount_is_known_by_the_addresses_that_the_kernel_writes(String given, String shown, boolean same) {
        mounts.existing(Path.of("/globalmount"));
        mounts.mount(
                Filesystem.of("lustre", shown + ":/scratch/v/pvc-1", List.of()),
                Path.of("/globalmount"),
                TestWork.patient());
        MountEntry mount =
                mounts.at(Path.of("/globalmount"), TestWork.patient()).orElseThrow();

        assertThat(attacher().shows(new Attachment.Lustre(given, "/scratch/v/pvc-1"), mount, TestWork.patient()))
                .isEqualTo(same);
        assertThat(attacher().shows(new Attachment.Lustre(given, "/scratch/v/pvc-10"), mount, TestWork.patient()))
                .isFalse();
        assertThat(attacher().mountPoints(new Attachment.Lustre(given, "/scratch"), TestWork.patient()))
                .hasSize(same ? 1 : 0);
        assertThat(attacher().recognise(mount, TestWork.patient()))
                .contains(new Attachment.Lustre(shown, "/scratch/v/pvc-1"));
    }
}
