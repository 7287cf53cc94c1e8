package dev.fairlead.application.service.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.service.node.Attachers;
import dev.fairlead.domain.health.HealthCondition;
import dev.fairlead.domain.health.HealthReason;
import dev.fairlead.domain.health.Silence;
import dev.fairlead.testkit.fake.TestWork;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A volume whose size is a quota that is not enforced. */
class UnheldSizeTest {
    private static final String PLACE = "/staging";

    /** Returns mounts of which each answers or does not, and none holds its size. */
    private static Mounter mounts(Optional<Silence> silence) {
        return (Mounter) Proxy.newProxyInstance(
                Mounter.class.getClassLoader(),
                new Class<?>[] {Mounter.class},
                (_, method, _) -> switch (method.getName()) {
                    case "silence" -> silence;
                    case "unheldSize" -> Optional.of("quotas are off");
                    default -> throw new AssertionError(method);
                });
    }

    private static List<HealthReason> reasons(Optional<Silence> silence, String type, String source) {
        Mounter mounter = mounts(silence);
        MountEntry mount = new MountEntry(2, 1, "7:0", "/v/pvc-a", PLACE, List.of("rw"), type, source, List.of("rw"));
        return new VolumeHealthLook(new Attachers(List.of()), new ServerSilence(mounter), mounter)
                .at(PLACE, Optional.of(mount), Optional.empty(), TestWork.patient()).conditions().stream()
                        .map(HealthCondition::reason)
                        .toList();
    }

    @Test
    void it_is_told() {
        assertThat(reasons(Optional.empty(), "xfs", "/dev/loop0")).containsExactly(HealthReason.SIZE_NOT_HELD);
    }

    @Test
    void a_file_system_that_does_not_answer_and_one_of_a_server_are_not_asked() {
        Silence silence = new Silence(Silence.Kind.SILENT, "no answer");
        assertThat(reasons(Optional.of(silence), "xfs", "/dev/loop0")).containsExactly(HealthReason.SERVER_SILENT);
        assertThat(reasons(Optional.empty(), "nfs4", "server:/export")).isEmpty();
    }
}
