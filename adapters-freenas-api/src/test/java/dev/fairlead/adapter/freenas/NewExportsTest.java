package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.testkit.BoxController;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredBox;
import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestNodes;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Exports of volumes that were made just now, on a box that has rows of a former volume of the same name. */
class NewExportsTest {
    private static final String VOLUME = "v:nas/pvc-1";
    /** The id of {@link TestNodes} number 1. */
    private static final String NODE = "n=node-1/i1=1/vu=0000-1/a=10.0.0.1";

    private static final String DATASET = WiredBox.PARENT + "/pvc-1";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static Attachment create(OneConnectionFixture controller) {
        return AttachmentCodec.decode(controller.create("pvc-1").context());
    }

    private static void publish(OneConnectionFixture controller) {
        var _ = controller
                .useCases()
                .publishVolume()
                .publish(
                        new PublishVolume.Command(
                                VOLUME, NODE, TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER), false),
                        TestWork.patient());
    }

    private static boolean admits(Simulator box, Attachment attachment) {
        return WiredBox.admits(box, attachment, TestNodes.node(1));
    }

    /** Removes the dataset as a shell does, which knows of no rows. */
    private static void destroy(Simulator box) {
        box.tamper("dataset", DATASET, _ -> new JsonObject());
    }

    @ParameterizedTest
    @CsvSource({"V25_10, NFS", "V26, SMB", "V26, ISCSI", "V25_10, NVMEOF"})
    void whom_the_former_volume_let_in_the_new_one_does_not(Profile profile, Protocol protocol) {
        try (WiredBox box = WiredBox.start(profile, protocol, folder)) {
            box.makeParents();
            Set<String> before = box.rows();
            try (OneConnectionFixture controller = new BoxController(box.simulator(), protocol).open()) {
                Attachment former = create(controller);
                publish(controller);
                assertThat(admits(box.simulator(), former)).isTrue();
                destroy(box.simulator());

                Attachment attachment = create(controller);

                assertThat(admits(box.simulator(), attachment)).isFalse();
                publish(controller);
                assertThat(admits(box.simulator(), attachment)).isTrue();
                controller.useCases().deleteVolume().delete(VOLUME, TestWork.patient());
            }
            assertThat(box.rows()).isEqualTo(before);
        }
    }

    @Test
    void a_subsystem_that_another_call_makes_meanwhile_is_not_taken_for_a_new_one() {
        try (WiredBox box = WiredBox.start(Profile.V25_10, Protocol.NVMEOF, folder)) {
            box.makeParents();
            try (OneConnectionFixture controller = new BoxController(box.simulator(), Protocol.NVMEOF).open()) {
                Attachment former = create(controller);
                publish(controller);
                assertThat(admits(box.simulator(), former)).isTrue();
                destroy(box.simulator());
                Map.copyOf(box.simulator()
                                .dump()
                                .getAsJsonObject("nvmet_namespace")
                                .asMap())
                        .keySet()
                        .forEach(key -> box.simulator().tamper("nvmet_namespace", key, _ -> new JsonObject()));
                // Not there when it is looked for, and there when it is to be made.
                box.simulator().fault(Fault.at("nvmet.subsys.query", new Fault.Result("[]")));

                Attachment attachment = create(controller);

                assertThat(admits(box.simulator(), attachment)).isFalse();
            }
        }
    }
}
