package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.peer.PeerCommands;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** democratic-csi leaves no room for snapshots in an id: up to 128 bytes the name is the id. */
class PeerIdsTest {
    private static final String NAME = "pvc-" + "n".repeat(100);
    private static final long GI = 1L << 30;

    static Stream<Arguments> types() {
        return PeerFixtures.types().map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("types")
    void a_volume_under_a_long_name_is_finished_and_served_under_the_peer_s_id(String type) {
        List<List<String>> commands = PeerCommands.of(type, "create").stream()
                .map(words ->
                        words.stream().map(word -> word.replace("pvc-1", NAME)).toList())
                .toList();
        for (int cut = 1; cut <= commands.size(); cut++) {
            ZfsCrashFixture zfsCrashFixture = PeerFixtures.of(type);
            zfsCrashFixture.reset();
            commands.subList(0, cut).forEach(zfsCrashFixture.pool()::play);

            try (OneConnectionFixture oneConnectionFixture = zfsCrashFixture.open()) {
                assertServed(zfsCrashFixture, oneConnectionFixture, create(oneConnectionFixture));
            }

            assertThat(zfsCrashFixture.pool().names()).as("cut after " + cut).doesNotContain("tank/v/" + NAME);
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void the_first_volume_of_a_pool_without_the_parent_may_have_a_long_name(String type) {
        ZfsCrashFixture zfsCrashFixture = PeerFixtures.of(type);
        zfsCrashFixture.pool().remove("tank/v");

        try (OneConnectionFixture oneConnectionFixture = zfsCrashFixture.open()) {
            VolumeView view = create(oneConnectionFixture);
            assertThat(create(oneConnectionFixture).handle()).isEqualTo(view.handle());
        }
    }

    private static VolumeView create(OneConnectionFixture oneConnectionFixture) {
        return oneConnectionFixture.create(NAME, CapacityRange.of(GI, 0), Source.NONE, Map.of());
    }

    private static void assertServed(
            ZfsCrashFixture zfsCrashFixture, OneConnectionFixture oneConnectionFixture, VolumeView view) {
        var calls = oneConnectionFixture.useCases();
        assertThat(view.handle()).isEqualTo("v:nas/" + NAME);
        assertThat(zfsCrashFixture.pool().names().stream().filter(name -> name.startsWith("tank/v/")))
                .containsExactly("tank/v/" + NAME);
        assertThat(calls.getVolume().get(view.handle(), TestWork.patient()).context())
                .isEqualTo(view.context());
        var taken = calls.takeSnapshot().take(new CsiName("snapshot-1"), view.handle(), Map.of(), TestWork.patient());
        assertThat(taken.handle()).isEqualTo("s:nas/" + NAME + "@snapshot-1");
        calls.expandVolume().expand(view.handle(), CapacityRange.of(2 * GI, 0), TestWork.patient());
        calls.deleteSnapshot().delete(taken.handle(), TestWork.patient());
        calls.deleteVolume().delete(view.handle(), TestWork.patient());
    }
}
