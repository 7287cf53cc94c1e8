package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.testkit.BoxController;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredBox;
import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Volumes for NVMe-oF on a box whose release has none: the process may end at any time, so nothing is ever made. */
class UnableReleaseTest {
    @TempDir
    private Path folder = Path.of("/nowhere");

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_04"})
    void nothing_is_made_of_an_empty_volume_or_of_a_copy(Profile profile) {
        try (WiredBox box = WiredBox.start(profile, Protocol.ISCSI, folder)) {
            box.makeParents();
            try (OneConnectionFixture able = new BoxController(box.simulator(), Protocol.ISCSI).open();
                    OneConnectionFixture unable = new BoxController(box.simulator(), Protocol.NVMEOF).open()) {
                able.create("pvc-0");
                String snapshot = able.useCases()
                        .takeSnapshot()
                        .take(new CsiName("snap-0"), "v:nas/pvc-0", Map.of(), TestWork.patient())
                        .handle();
                Set<String> before = box.rows();
                for (Source source :
                        List.of(Source.NONE, new Source.Volume("v:nas/pvc-0"), new Source.Snapshot(snapshot))) {
                    verifyRefused(unable, source);
                }

                box.simulator().clearCalls();
                verifyRefused(unable, Source.NONE);
                assertThat(box.simulator().calls())
                        .as("the look for what a call before it may have made, and for its parent")
                        .hasSizeLessThanOrEqualTo(2);
                assertThat(box.rows()).isEqualTo(before);
            }
        }
    }

    private static void verifyRefused(OneConnectionFixture controller, Source source) {
        var work = TestWork.patient();
        var command = new CreateVolume.Command(
                new CsiName("pvc-1"),
                CapacityRange.ANY,
                List.of(TestVolumes.MOUNT),
                OneConnectionFixture.ON_NAS,
                source,
                AccessibilityRequirement.NONE);

        Failure failure =
                Failing.failure(() -> controller.useCases().createVolume().create(command, work));

        assertThat(failure).isInstanceOf(Failure.Unsupported.class);
        assertThat(failure.message()).contains("25.10", "freenas-api-iscsi");
        assertThat(work.effects()).isEmpty();
    }
}
