package dev.fairlead.adapter.freenas.iscsi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is exported otherwise by a box of 26 whose target is LIO, and what is not. */
class LioTargetTest {
    private static final String NODE = "iqn.1993-08.org.debian:01:1";
    private static final String OTHER = "iqn.1993-08.org.debian:01:2";
    private static final long TAG = 7;

    @TempDir
    private Path folder = Path.of("/nowhere");

    private @Nullable IscsiFixture open;

    @BeforeEach
    void start() {
        open = IscsiFixture.lio(new SimulatedBox(Profile.V26, folder));
        fixture().box().call("iscsi.auth.create", Map.of("tag", TAG, "user", "u", "secret", "0123456789ab"));
    }

    @AfterEach
    void end() {
        fixture().box().close();
    }

    private IscsiFixture fixture() {
        return Objects.requireNonNull(open);
    }

    private static Map<String, Object> chap(String group) {
        return IscsiFixture.with(
                "targetGroups",
                List.of(Map.of(
                        "targetGroupPortalGroup",
                        1,
                        "targetGroupInitiatorGroup",
                        group,
                        "targetGroupAuthType",
                        "CHAP",
                        "targetGroupAuthGroup",
                        TAG)));
    }

    private Failure refused(String group) {
        StoredVolume volume = fixture().volume(false);
        try (FreenasIscsiExporter exporter = fixture().exporter(chap(group))) {
            return Failing.failure(() -> exporter.export(volume, TestWork.patient()));
        }
    }

    private static void verify(Failure failure) {
        assertThat(failure).isInstanceOf(Failure.BackendRejected.class);
        assertThat(failure.message()).contains("its target is LIO", "targetGroupInitiatorGroup");
    }

    @Test
    void chap_for_all_is_refused_as_nobody_would_get_in() {
        verify(refused("-1"));
    }

    @Test
    void chap_for_a_group_without_names_is_refused_too() {
        fixture().box().call("iscsi.initiator.create", Map.of("comment", "all"));

        verify(refused("1"));
    }

    @Test
    void chap_for_a_group_with_names_is_given_to_the_target() {
        fixture().box().call("iscsi.initiator.create", Map.of("initiators", List.of(NODE)));
        StoredVolume volume = fixture().volume(false);
        try (FreenasIscsiExporter exporter = fixture().exporter(chap("1"))) {
            exporter.export(volume, TestWork.patient());

            assertThat(TargetCalls.groups(fixture().target("csi-pvc-a").orElseThrow()))
                    .containsExactly(new TargetGroup(1, Optional.of(1L), "CHAP", Optional.of(TAG)));
        }
    }

    /** SCST in its second mode is not LIO: it asks CHAP of everybody. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void scst_asks_chap_of_all(int mode) {
        StoredVolume volume = fixture().mode(mode).volume(false);
        try (FreenasIscsiExporter exporter = fixture().exporter(chap("-1"))) {
            exporter.export(volume, TestWork.patient());

            assertThat(TargetCalls.groups(fixture().target("csi-pvc-a").orElseThrow()))
                    .containsExactly(new TargetGroup(1, Optional.empty(), "CHAP", Optional.of(TAG)));
        }
    }

    @Test
    void a_closed_volume_asks_chap_of_its_nodes_and_the_session_of_one_that_is_shut_out_ends() {
        StoredVolume volume = fixture().volume(true);
        try (FreenasIscsiExporter exporter = fixture().exporter(chap("-1"))) {
            exporter.admit(volume, IscsiFixture.nodes(NODE, OTHER), TestWork.patient());
            assertThat(TargetCalls.groups(fixture().target("csi-pvc-a").orElseThrow()))
                    .allMatch(TargetGroup::asksChap)
                    .hasSize(1);
            logIn(NODE);
            logIn(OTHER);

            exporter.revoke(volume, IscsiFixture.nodes(OTHER), TestWork.patient());
            assertThat(fixture().box().rows("iscsi_session"))
                    .extracting(row -> row.get("initiator").getAsString())
                    .containsExactly(OTHER);

            exporter.revoke(volume, Grants.NONE, TestWork.patient());
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
            assertThat(fixture().exports()).isZero();
        }
    }

    private void logIn(String initiator) {
        var session = new JsonObject();
        session.addProperty("target", "csi-pvc-a");
        session.addProperty("initiator", initiator);
        fixture().box().put("iscsi_session", session);
    }
}
