package dev.fairlead.application.service.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.FakeMounts;
import dev.fairlead.testkit.fake.node.FakeTargets;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Volumes that are directories of a disk which a node also could have attached for a volume: a pool on an iSCSI disk.
 */
class DiskOfOperatorTest {
    private final FakeTargets targets = new FakeTargets(new FakeMounts());
    private final Attachers attachers = new Attachers(List.of(targets));

    private static MountEntry mount(String root) {
        String device = FakeTargets.device("disk").toString();
        return new MountEntry(9, 1, "8:16", root, "/staging", List.of("rw"), "xfs", device, List.of());
    }

    @Test
    void a_directory_of_a_disk_is_not_taken_for_the_disk_which_would_be_grown_and_detached() {
        targets.login(FakeTargets.target("disk").iqn());

        assertThat(attachers.recognised(mount("/"), TestWork.patient())).isPresent();
        assertThat(attachers.recognised(mount("/v/pvc-a"), TestWork.patient())).isEmpty();
    }
}
