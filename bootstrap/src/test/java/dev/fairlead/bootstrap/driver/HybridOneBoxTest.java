package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hybrids whose file leads by SSH to one box and by its API to another, which has datasets of the same names. */
class HybridOneBoxTest {
    private static final String NODE = "n=node-1/i1=node-1/vu=00000000-0000-4000-8000-000000000001/a=198.51.100.1";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static OneConnectionFixture open(String file) {
        return new OneConnectionFixture(HybridBox.backend(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfs", "iscsi"})
    void nothing_is_shared_by_a_box_that_is_another_one(String protocol) {
        try (HybridBox one = new HybridBox(Profile.V25_10, folder.resolve("one"));
                HybridBox other = new HybridBox(Profile.V25_10, folder.resolve("other"))) {
            try (OneConnectionFixture fixture = open(one.hybrid(protocol))) {
                var _ = fixture.create("pvc-1");
            }
            try (OneConnectionFixture fixture = open(other.hybrid(protocol))) {
                var _ = fixture.create("pvc-1"); // as on a replica
                fixture.useCases().deleteVolume().delete("v:nas/pvc-1", TestWork.patient());
            }
            Set<String> before = other.rows();

            try (OneConnectionFixture fixture = open(one.hybrid(protocol, other))) {
                Failure failure = Failing.failure(() -> fixture.create("pvc-2"));

                assertThat(failure).isInstanceOf(Failure.ConnectionBroken.class);
                assertThat(failure.message())
                        .contains("lead to two boxes", guid(one.simulator()), guid(other.simulator()), "the same box");

                // What is known holds while nothing can be found out.
                other.simulator().fault(Fault.at("pool.query", new Fault.Result("[]")));
                assertThat(Failing.failure(() -> fixture.create("pvc-2"))).isInstanceOf(Failure.ConnectionBroken.class);
            }
            assertThat(other.rows()).isEqualTo(before);
        }
    }

    /** What the other box does not show says nothing of the one that does. */
    @ParameterizedTest
    @ValueSource(strings = {"nfs", "smb", "iscsi", "nvmeof"})
    void nobody_is_taken_for_shut_out_since_a_replica_shares_nothing(String protocol) {
        try (HybridBox one = new HybridBox(Profile.V25_10, folder.resolve("one"));
                HybridBox replica = new HybridBox(Profile.V25_10, folder.resolve("replica"))) {
            String volume;
            try (OneConnectionFixture fixture = open(closed(one.hybrid(protocol)))) {
                volume = fixture.create("pvc-1").handle();
                var publication = new PublishVolume.Command(volume, NODE, TestVolumes.MOUNT, false);
                var _ = fixture.useCases().publishVolume().publish(publication, TestWork.patient());
            }
            JsonObject copied = replica.simulator().dump();
            copied.add("dataset", one.simulator().dump().get("dataset"));
            replica.simulator().become(copied);
            Map<String, String> record = one.properties("tank/k8s/v/pvc-1");

            try (OneConnectionFixture fixture = open(closed(one.hybrid(protocol, replica)))) {
                assertThat(Failing.failure(() -> fixture.useCases()
                                .unpublishVolume()
                                .unpublish(volume, Optional.of(NODE), TestWork.patient())))
                        .isInstanceOf(Failure.ConnectionBroken.class);
                assertThat(Failing.failure(
                                () -> fixture.useCases().deleteVolume().delete(volume, TestWork.patient())))
                        .isInstanceOf(Failure.ConnectionBroken.class);
            }
            assertThat(one.properties("tank/k8s/v/pvc-1")).isEqualTo(record);
        }
    }

    private static String closed(String file) {
        return file.replace("fairlead: {", "fairlead: {publish: nodes, ");
    }

    private static String guid(Simulator simulator) {
        JsonObject pools = simulator.dump().getAsJsonObject("pool");
        return pools.entrySet()
                .iterator()
                .next()
                .getValue()
                .getAsJsonObject()
                .get("guid")
                .getAsString();
    }

    private static long asked(HybridBox box) {
        return box.simulator().calls().stream()
                .map(CallLog.Entry::method)
                .filter("pool.query"::equals)
                .count();
    }

    @Test
    void one_box_is_asked_once_for_many_changes() {
        try (HybridBox box = new HybridBox(Profile.V26, folder);
                OneConnectionFixture fixture = open(box.hybrid("nfs"))) {
            for (int i = 1; i <= 3; i++) {
                var _ = fixture.create("pvc-" + i);
            }

            assertThat(asked(box)).isOne();
        }
    }

    @Test
    void what_cannot_be_found_out_refuses_nothing() {
        try (HybridBox box = new HybridBox(Profile.V26, folder);
                OneConnectionFixture fixture = open(box.hybrid("nfs").replace(box.zpool(), "/nowhere/zpool"))) {
            var _ = fixture.create("pvc-1");
            var _ = fixture.create("pvc-2");

            assertThat(box.rows()).contains("dataset tank/k8s/v/pvc-1", "dataset tank/k8s/v/pvc-2");
            assertThat(asked(box)).isOne();
        }
    }
}
