package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.testkit.BoxController;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredBox;
import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The numbers of rows by which democratic-csi finds an export, after a late call has set those of rows that are gone:
 * the next call that looks at the rows sets them right.
 */
class StaleNumbersTest {
    private static final String VOLUME = "v:nas/pvc-1";
    private static final String DATASET = WiredBox.PARENT + "/pvc-1";
    private static final String ONE = "n=node-1/i1=1/vu=0000-1/a=10.0.0.1";
    private static final String TWO = "n=node-2/i1=2/vu=0000-2/a=10.0.0.2";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static void publish(OneConnectionFixture controller, String node) {
        var mount = TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER);
        var _ = controller
                .useCases()
                .publishVolume()
                .publish(new PublishVolume.Command(VOLUME, node, mount, false), TestWork.patient());
    }

    private static Map<String, String> numbers(WiredBox box) {
        Map<String, String> numbers = new TreeMap<>(box.properties(DATASET));
        numbers.keySet().removeIf(key -> !key.startsWith("democratic-csi:freenas_") || !key.endsWith("_id"));
        return numbers;
    }

    private static void spoil(WiredBox box) {
        box.simulator().tamper("dataset", DATASET, row -> {
            numbers(box).keySet().forEach(key -> JsonTools.child(row, "user").addProperty(key, "4711"));
            return row;
        });
    }

    @ParameterizedTest
    @CsvSource({"V25_04, NFS", "V25_04, SMB", "V25_04, ISCSI", "V25_10, NVMEOF", "V26, NFS"})
    void are_set_right_by_the_next_call(Profile profile, Protocol protocol) {
        List<Consumer<OneConnectionFixture>> calls = new ArrayList<>(List.of(
                it -> it.create("pvc-1"), it -> publish(it, ONE), it -> publish(it, ONE), it -> publish(it, TWO)));
        if (!protocol.isBlock()) { // a revocation of a block volume replaces no row
            calls.add(it -> it.useCases().unpublishVolume().unpublish(VOLUME, Optional.of(ONE), TestWork.patient()));
        }
        try (WiredBox box = WiredBox.start(profile, protocol, folder)) {
            box.makeParents();
            try (OneConnectionFixture controller = new BoxController(box.simulator(), protocol).open()) {
                var _ = controller.create("pvc-1");
                Map<String, String> right = numbers(box);
                assertThat(right).isNotEmpty();
                for (Consumer<OneConnectionFixture> call : calls) {
                    spoil(box);
                    assertThat(numbers(box).values()).containsOnly("4711");

                    call.accept(controller);

                    assertThat(numbers(box)).as("%d", calls.indexOf(call)).doesNotContainValue("4711");
                }
            }
        }
    }
}
