package dev.fairlead.adapter.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Java cannot have {@code parameters} and {@code mutable_parameters} in one message; nothing else may differ. */
class VendoredProtoTest {
    @Test
    void only_the_options_for_java_and_three_names_differ_from_the_released_proto() throws IOException {
        List<String> released = released();
        List<String> vendored = Files.readAllLines(Path.of("src/main/protobuf/csi.proto"));
        List<String> restored = new ArrayList<>(vendored);

        boolean options =
                restored.removeAll(List.of("option java_package = \"csi.v1\";", "option java_multiple_files = true;"));
        restored.remove(released.indexOf("package csi.v1;") + 1);
        restored.replaceAll(line -> line.replace(" modifiable_parameters = ", " mutable_parameters = "));

        assertThat(options).isTrue();
        assertThat(restored).isEqualTo(released);
        assertThat(vendored.stream().filter(line -> line.contains("modifiable_parameters")))
                .hasSize(3);
    }

    @Test
    void only_its_origin_and_the_options_for_java_are_added_to_kubelet_s_proto() throws IOException {
        List<String> vendored = Files.readAllLines(Path.of("src/main/protobuf/pluginregistration/v1/api.proto"));
        List<String> restored = new ArrayList<>(vendored.subList(3, vendored.size()));

        boolean options = restored.removeAll(
                List.of("option java_package = \"pluginregistration.v1\";", "option java_multiple_files = true;"));

        assertThat(options).isTrue();
        assertThat(restored).isEqualTo(released("/pluginregistration-v1-0.36.3.proto"));
        assertThat(String.join(" ", vendored.subList(0, 3))).contains("k8s.io/kubelet v0.36.3", "Apache License");
    }

    private static List<String> released() throws IOException {
        return released("/csi-1.13.0.proto");
    }

    private static List<String> released(String name) throws IOException {
        try (InputStream in = VendoredProtoTest.class.getResourceAsStream(name)) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }
}
