package dev.fairlead.application.service.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.service.node.Attachers;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.HealthCondition;
import dev.fairlead.domain.health.HealthReason;
import dev.fairlead.domain.health.MountTrouble;
import dev.fairlead.domain.health.Silence;
import dev.fairlead.domain.health.VolumeHealth;
import dev.fairlead.testkit.fake.TestWork;
import java.lang.reflect.Proxy;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What is wrong with a volume that answers. */
class MountTroublesTest {
    private static final String PLACE = "/staging";

    /** Returns mounts of which each answers or does not, and none holds its size. */
    private static Mounter mounts(Optional<Silence> silence) {
        return mounts(silence, () -> List.of(new MountTrouble(MountTrouble.Kind.SIZE_NOT_HELD, "quotas are off")));
    }

    private static Mounter mounts(Optional<Silence> silence, Supplier<List<MountTrouble>> troubles) {
        return (Mounter) Proxy.newProxyInstance(
                Mounter.class.getClassLoader(),
                new Class<?>[] {Mounter.class},
                (_, method, _) -> switch (method.getName()) {
                    case "silence" -> silence;
                    case "troubles" -> troubles.get();
                    default -> throw new AssertionError(method);
                });
    }

    private static VolumeHealth health(Mounter mounter, String root, String type, String source) {
        MountEntry mount = new MountEntry(2, 1, "7:0", root, PLACE, List.of("rw"), type, source, List.of("rw"));
        return new VolumeHealthLook(new Attachers(List.of()), new ServerSilence(mounter), mounter)
                .at(PLACE, Optional.of(mount), Optional.empty(), TestWork.patient());
    }

    private static List<HealthReason> reasons(Mounter mounter, String root, String type, String source) {
        return health(mounter, root, type, source).conditions().stream()
                .map(HealthCondition::reason)
                .toList();
    }

    @Test
    void it_is_told() {
        assertThat(reasons(mounts(Optional.empty()), "/v/pvc-a", "xfs", "/dev/loop0"))
                .containsExactly(HealthReason.SIZE_NOT_HELD);
    }

    @Test
    void a_file_system_that_does_not_answer_and_one_of_a_server_are_not_asked() {
        Mounter silent = mounts(Optional.of(new Silence(Silence.Kind.SILENT, "no answer")));
        assertThat(reasons(silent, "/v/pvc-a", "xfs", "/dev/loop0")).containsExactly(HealthReason.SERVER_SILENT);
        assertThat(reasons(mounts(Optional.empty()), "/", "nfs4", "server:/export"))
                .isEmpty();
    }

    @Test
    void what_cannot_be_asked_is_not_well() {
        Mounter hanging = mounts(Optional.empty(), () -> {
            throw new StorageException(new Failure.NodeFault("looking", "no answer"));
        });
        assertThat(reasons(hanging, "/v/pvc-a", "xfs", "/dev/loop0")).containsExactly(HealthReason.LOOK_FAILED);
    }

    @Test
    void what_a_mount_tells_too_late_is_untold_and_the_ways_to_it_are_known_all_the_same() {
        Mounter hanging = mounts(Optional.empty(), () -> {
            throw new StorageException(new Failure.NodeFault("looking", "no answer"));
        });
        VolumeHealth health = health(hanging, "/v/pvc-a", "xfs", "/dev/loop0");

        assertThat(EnumSet.allOf(HealthReason.class).stream().filter(it -> !health.tells(it)))
                .containsExactly(
                        HealthReason.VOLUME_FULL,
                        HealthReason.INODES_EXHAUSTED,
                        HealthReason.DEVICE_ERRORS,
                        HealthReason.SIZE_NOT_HELD);
    }

    @Test
    void a_call_that_was_given_up_tells_nothing_at_all() {
        Failure.Cancelled cancelled = new Failure.Cancelled("looking");
        Mounter mounter = mounts(Optional.empty(), () -> {
            throw new StorageException(cancelled);
        });

        assertThatThrownBy(() -> health(mounter, "/v/pvc-a", "xfs", "/dev/loop0"))
                .isInstanceOfSatisfying(
                        StorageException.class, it -> assertThat(it.failure()).isEqualTo(cancelled));
    }

    @Test
    void a_folder_that_was_removed_while_it_is_mounted_is_told_also_if_nothing_else_can_be() {
        assertThat(reasons(mounts(Optional.empty(), List::of), "/v/pvc-a//deleted", "xfs", "/dev/loop0"))
                .containsExactly(HealthReason.CONTENT_REMOVED);
        Mounter silent = mounts(Optional.of(new Silence(Silence.Kind.SILENT, "no answer")));
        assertThat(reasons(silent, "/v/pvc-a//deleted", "xfs", "/dev/loop0")).contains(HealthReason.CONTENT_REMOVED);
    }
}
