package dev.fairlead.adapter.linstor.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.placement.PlacedVolume;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which of the places that may have a policy is the one that holds. */
class PolicyChoiceTest {
    private static final Map<String, String> LOCAL_CLASS = Map.of("allowRemoteVolumeAccess", "false");
    private static final Map<String, String> ZONE_ATTRIBUTES = Map.of(
            "linstor.csi.linbit.com/uses-volume-context", "true",
            "linstor.csi.linbit.com/remote-access-policy", "- fromSame: [zone]");

    @Test
    void an_annotation_is_before_the_attributes_and_these_are_before_the_class() {
        assertThat(policy(Map.of("override.piraeus.io", "true"), ZONE_ATTRIBUTES, Optional.of(LOCAL_CLASS)))
                .contains(AccessPolicy.ANYWHERE);
        assertThat(policy(Map.of(), ZONE_ATTRIBUTES, Optional.of(LOCAL_CLASS)))
                .isEqualTo(AccessPolicy.parse("- fromSame: [zone]"));
        assertThat(policy(Map.of(), Map.of(), Optional.of(LOCAL_CLASS))).contains(AccessPolicy.LOCAL);
    }

    @Test
    void several_annotations_are_united_and_named() {
        PolicyChoice choice = PolicyChoice.of(volume(
                Map.of(
                        "override.piraeus.io/node-1", "- fromSame: [zone]",
                        "override.piraeus.io/node-2", "false",
                        "override.piraeus.iox", "true"),
                Map.of(),
                Optional.empty()));

        assertThat(choice.policy())
                .isEqualTo(AccessPolicy.parse("- fromSame: [zone]\n- fromSame: [linbit.com/hostname]"));
        assertThat(choice.origin()).contains("union", "override.piraeus.io/node-1", "override.piraeus.io/node-2");
    }

    @Test
    void one_annotation_that_cannot_be_read_leaves_nothing_known() {
        assertThat(policy(
                        Map.of("override.piraeus.io/a", "true", "override.piraeus.io/b", "rubbish"),
                        Map.of(),
                        Optional.of(LOCAL_CLASS)))
                .isEmpty();
    }

    @Test
    void thousands_of_annotations_are_not_read() {
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i < 65; i++) {
            many.put("override.piraeus.io/" + i, "true");
        }

        PolicyChoice choice = PolicyChoice.of(volume(many, Map.of(), Optional.empty()));

        assertThat(choice.policy()).isEmpty();
        assertThat(choice.origin()).contains("65", "64 at most");
    }

    @Test
    void attributes_that_promise_a_policy_and_have_none_leave_nothing_known() {
        assertThat(policy(
                        Map.of(),
                        Map.of("linstor.csi.linbit.com/uses-volume-context", "true"),
                        Optional.of(LOCAL_CLASS)))
                .isEmpty();
    }

    @Test
    void a_class_that_is_gone_leaves_nothing_known() {
        assertThat(policy(Map.of(), Map.of(), Optional.empty())).isEmpty();
    }

    @Test
    void without_a_parameter_the_layers_of_the_class_decide_and_their_keys_are_read_in_any_case() {
        assertThat(policy(Map.of(), Map.of(), Optional.of(Map.of()))).contains(AccessPolicy.ANYWHERE);
        assertThat(policy(Map.of(), Map.of(), Optional.of(Map.of("layerList", "storage"))))
                .contains(AccessPolicy.LOCAL);
        assertThat(policy(Map.of(), Map.of(), Optional.of(Map.of("linstor.csi.linbit.com/LAYERLIST", "luks storage"))))
                .contains(AccessPolicy.LOCAL);
        assertThat(policy(Map.of(), Map.of(), Optional.of(Map.of("layerlist", "DRBD storage"))))
                .contains(AccessPolicy.ANYWHERE);
    }

    private static Optional<AccessPolicy> policy(
            Map<String, String> annotations, Map<String, String> attributes, Optional<Map<String, String>> parameters) {
        return PolicyChoice.of(volume(annotations, attributes, parameters)).policy();
    }

    private static PlacedVolume volume(
            Map<String, String> annotations, Map<String, String> attributes, Optional<Map<String, String>> parameters) {
        return new PlacedVolume(
                "pv-1", "linstor.csi.linbit.com", "vol-1", attributes, annotations, Optional.of("fast"), parameters);
    }
}
