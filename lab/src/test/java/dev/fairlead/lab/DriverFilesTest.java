package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What the driver files of {@code lab/e2e} declare is what the list beside them says, no more and no less. */
class DriverFilesTest {
    private static final Path E2E = Objects.requireNonNull(
                    Path.of("").toAbsolutePath().getParent(), "run from the module")
            .resolve("lab/e2e");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "central",
                "node-local",
                "zfs-generic-nfs",
                "zfs-generic-smb",
                "zfs-generic-iscsi",
                "zfs-generic-nvmeof",
                "zfs-local-dataset",
                "zfs-local-zvol",
                "local-pool-image",
                "local-pool-btrfs",
                "local-pool-xfs"
            })
    void a_driver_file_states_every_capability_as_the_list_does(String driver) throws IOException {
        Map<String, Boolean> listed =
                CapabilityList.read(E2E.resolve("capabilities")).of(driver);

        assertThat(declared(E2E.resolve(driver + "/driver.yaml"))).isEqualTo(listed);
        assertThat(listed).hasSizeGreaterThan(20);
    }

    /** The suite is of one version of Kubernetes; another one may know more, which this tells where it is at hand. */
    @Tag("cluster")
    @Test
    void the_list_has_every_capability_that_the_suite_knows() throws IOException {
        String suite = "pkg/mod/k8s.io/kubernetes@%s/test/e2e/storage/framework/testdriver.go".formatted(kubernetes());
        Path source = Path.of(System.getProperty("user.home"), "go").resolve(suite);
        Needs.nothingAgainst(
                Files.exists(source)
                        ? Optional.empty()
                        : Optional.of("the suite's source is not there (lab/kube up fetches it): " + source));

        var known = Pattern.compile("(?m)^\\s+Cap[A-Za-z0-9]+\\s+Capability = \"([A-Za-z]+)\"")
                .matcher(Files.readString(source))
                .results()
                .map(found -> found.group(1));

        assertThat(CapabilityList.read(E2E.resolve("capabilities"))
                        .of("central")
                        .keySet())
                .containsExactlyInAnyOrderElementsOf(known.toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exec yes",
                "exec yes maybe",
                "exec yes no",
                "exec yes no #",
                "exec yes yes # it is declared",
                "exec yes yes\nexec yes yes",
            })
    void a_line_that_says_no_without_why_or_says_too_much_is_refused(String lines) {
        assertThatThrownBy(() -> CapabilityList.of(List.of(("CAPABILITY one two # why not\n" + lines).split("\n", -1))))
                .hasMessageContaining("exec");
    }

    private static Map<String, Boolean> declared(Path file) throws IOException {
        var options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        Map<String, Map<String, Map<String, Boolean>>> definition =
                new Yaml(new SafeConstructor(options)).load(Files.readString(file));
        return new TreeMap<>(definition.getOrDefault("DriverInfo", Map.of()).getOrDefault("Capabilities", Map.of()));
    }

    private static String kubernetes() throws IOException {
        return Files.readAllLines(E2E.resolve("../kube.d/go/kubernetes/go.mod")).stream()
                .map(String::strip)
                .filter(line -> line.startsWith("k8s.io/kubernetes v"))
                .findFirst()
                .orElseThrow()
                .split(" ", -1)[1];
    }
}
