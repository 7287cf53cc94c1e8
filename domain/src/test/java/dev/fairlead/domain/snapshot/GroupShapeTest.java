package dev.fairlead.domain.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GroupShapeTest {
    private static GroupRequest request(Map<String, String> parameters, String... sources) {
        return new GroupRequest(
                new CsiName("group-1"), Stream.of(sources).map(NativeId::new).toList(), parameters);
    }

    private static GroupShape shape(Map<String, String> parameters, String... sources) {
        return GroupShape.of(request(parameters, sources));
    }

    @Test
    void a_group_is_a_set_of_volumes_whatever_their_order() {
        assertThat(shape(Map.of(), "b", "a")).isEqualTo(shape(Map.of(), "a", "b"));
        assertThat(request(Map.of(), "b", "a").sources()).containsExactly(new NativeId("a"), new NativeId("b"));
        assertThat(shape(Map.of(), "a", "b").isOf(List.of(new NativeId("b"), new NativeId("a"))))
                .isTrue();
        assertThat(shape(Map.of(), "a", "b").isOf(List.of(new NativeId("a")))).isFalse();
    }

    @Test
    void other_volumes_and_other_parameters_are_told_apart() {
        GroupShape shape = shape(Map.of("tier", "gold"), "a", "b");

        assertThat(shape.difference(shape(Map.of("tier", "gold"), "a", "b"))).isEmpty();
        assertThat(shape.difference(shape(Map.of("tier", "gold"), "a", "c"))).contains("it is of other volumes");
        assertThat(shape.difference(shape(Map.of("tier", "gold"), "ab"))).isPresent();
        assertThat(shape.difference(shape(Map.of("tier", "tin"), "a", "b")).orElse(""))
                .contains("other parameters");
        assertThat(shape.difference(shape(Map.of("tiergold", ""), "a", "b"))).isPresent();
    }

    @Test
    void the_names_of_kubernetes_objects_shape_nothing() {
        var named = Map.of("csi.storage.k8s.io/volumegroupsnapshot/name", "x");

        assertThat(shape(named, "a")).isEqualTo(shape(Map.of(), "a"));
    }

    @Test
    void no_volume_and_one_named_twice_are_refused() {
        assertThatThrownBy(() -> request(Map.of())).hasMessageContaining("source_volume_ids: are missing");
        assertThatThrownBy(() -> request(Map.of(), "a", "b", "a"))
                .hasMessageContaining("source_volume_ids: name the volume 'a' twice");
    }
}
