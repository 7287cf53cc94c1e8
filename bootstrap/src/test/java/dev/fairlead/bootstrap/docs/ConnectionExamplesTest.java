package dev.fairlead.bootstrap.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.ConfigValue.Scalar;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.bootstrap.check.CheckReport;
import dev.fairlead.bootstrap.check.FolderCheck;
import dev.fairlead.bootstrap.config.Defaults;
import dev.fairlead.bootstrap.config.YamlReader;
import dev.fairlead.bootstrap.driver.BackendAssembler;
import dev.fairlead.bootstrap.driver.DaggerFactoryComponent;
import dev.fairlead.bootstrap.driver.DriverType;
import dev.fairlead.bootstrap.driver.DriverTypes;
import dev.fairlead.bootstrap.driver.FactoryComponent;
import dev.fairlead.bootstrap.driver.Locality;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.topology.TopologyPrefix;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What the documents show of connection files is put into a folder of connections and read by the driver's reader. */
class ConnectionExamplesTest {
    private static final Pattern YAML = Pattern.compile("(?ms)^```yaml\\n(.*?)^```");
    private static final Pattern DRIVER_PAGE = Pattern.compile("(?m)^Stores? `");
    private static final Pattern SECTION = Pattern.compile("(?ms)^## Keys of `(\\w+)`$(.*?)(?=^## )");
    private static final Pattern KEYS = Pattern.compile("(?m)^\\| (`[^|]+`) \\|");
    private static final String SHARED = "docs/drivers/zfs-keys.md";
    private static final String WHOLE = "docs/drivers/zfs-generic-nfs.md";

    @TempDir
    Path folder;

    private final Repository repository = Repository.ofThisBuild();

    /** One block of YAML. */
    private record Example(String document, String text, Mapping content) {
        /** The main file of a proxy, or of one driver with settings of a proxy, is no connection. */
        boolean isWhole() {
            return driver().filter(driver -> !driver.equals("proxy")).isPresent()
                    && !content.entries().containsKey("proxy");
        }

        /** What a page shows of a ZFS connection's file, without what it has besides. */
        boolean isPart() {
            return driver().isEmpty()
                    && Stream.of("zfs", "sshConnection", "fairlead").anyMatch(content.entries()::containsKey);
        }

        private Optional<String> driver() {
            return content.entries().get("driver") instanceof Scalar driver
                    ? Optional.of(driver.text())
                    : Optional.empty();
        }
    }

    private List<Example> examples() {
        List<Example> examples = new ArrayList<>();
        for (Path path : repository.documents()) {
            String document = repository.root().relativize(path).toString();
            YAML.matcher(repository.text(document)).results().forEach(found -> {
                String text = found.group(1);
                YamlReader.read(text.getBytes(UTF_8), new Problems(document))
                        .ifPresent(content -> examples.add(new Example(document, text, content)));
            });
        }
        return examples;
    }

    private CheckReport read(String text, Defaults defaults) {
        try {
            Files.writeString(folder.resolve("nas.yaml"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new FolderCheck(assembler(), defaults).folder(folder);
    }

    private static BackendAssembler assembler() {
        FactoryComponent parts = DaggerFactoryComponent.create();
        var locality = new Locality(TopologyPrefix.DEFAULT, true, Optional.of("node-1"));
        return new BackendAssembler(DriverTypes.all(), parts.stores(), parts.exporters(), locality, "check", true);
    }

    private static void assertServed(CheckReport report) {
        assertThat(report.all())
                .filteredOn(it -> !it.isNote() && !it.what().startsWith("no node of this version can mount"))
                .isEmpty();
        assertThat(report.connections())
                .singleElement()
                .satisfies(connection -> assertThat(connection.summary()).isNotBlank());
    }

    @TestFactory
    Stream<DynamicTest> a_whole_file_is_served_as_it_stands() {
        return examples().stream()
                .filter(Example::isWhole)
                .map(example -> DynamicTest.dynamicTest(
                        example.document(), () -> assertServed(read(example.text(), Defaults.NONE))));
    }

    /** By what a type says of its attachment it is told whether pods can use it. */
    @TestFactory
    Stream<DynamicTest> a_type_s_volumes_are_attached_as_its_row_says() {
        return examples().stream()
                .filter(Example::isWhole)
                .map(example -> DynamicTest.dynamicTest(example.document(), () -> assertAttachedAsSaid(example)));
    }

    private static void assertAttachedAsSaid(Example example) {
        Backend backend = assembler()
                .assemble(
                        new ConnectionName("nas"),
                        example.text().getBytes(UTF_8),
                        Defaults.NONE,
                        new Problems(example.document()))
                .orElseThrow()
                .backend();
        DriverType type = DriverTypes.all().rows().stream()
                .filter(row -> row.name().equals(backend.driverType()))
                .findFirst()
                .orElseThrow();
        var request = backend.exporter().accepts() == VolumeMedium.Kind.BLOCK_DEVICE
                ? TestVolumes.capable("pvc-1", TestVolumes.BLOCK)
                : TestVolumes.empty("pvc-1");
        var birth = backend.store().plan(request, TestVolumes.id("pvc-1"));
        var stored = new StoredVolume(
                birth.id(), Optional.empty(), Optional.empty(), made(birth.medium()), Content.EMPTY, birth.notes());
        assertThat(backend.exporter().attachment(stored, TestWork.patient()))
                .containsInstanceOf(type.attachment().orElseThrow());
        backend.exporter().close();
        backend.store().close();
    }

    /** Where a filesystem is mounted may be known only once it is made. */
    private static VolumeMedium made(VolumeMedium planned) {
        return planned.path().isEmpty() ? new VolumeMedium.Filesystem("/tank/k8s/v/pvc-1") : planned;
    }

    private Defaults rest() {
        return Defaults.of(examples().stream()
                .filter(example -> example.isWhole() && example.document().equals(WHOLE))
                .findFirst()
                .orElseThrow()
                .content());
    }

    /** The rest is that of a page whose example is whole. */
    @TestFactory
    Stream<DynamicTest> a_part_of_a_file_is_served_with_the_rest() {
        Defaults rest = rest();
        return examples().stream()
                .filter(Example::isPart)
                .map(example -> DynamicTest.dynamicTest(
                        example.document(),
                        () -> assertServed(read("driver: zfs-generic-nfs\n" + example.text(), rest))));
    }

    @Test
    void every_page_of_a_driver_type_has_an_example() {
        List<String> pages = repository.filesIn("docs/drivers").stream()
                .map(path -> repository.root().relativize(path).toString())
                .filter(page -> DRIVER_PAGE.matcher(repository.text(page)).find())
                .toList();

        assertThat(pages).hasSizeGreaterThanOrEqualTo(5);
        assertThat(examples().stream().filter(Example::isWhole).map(Example::document))
                .containsAll(pages);
    }

    /** With a value that may be wrong: what the reader does not know it calls unknown, whatever the value. */
    @TestFactory
    Stream<DynamicTest> a_key_of_the_shared_page_is_one_that_is_read() {
        Defaults rest = rest();
        List<String> keys = sharedKeys();
        assertThat(keys).hasSizeGreaterThan(30).contains("sshConnection.port", "zfs.cli.sudoEnabled");

        return keys.stream()
                .map(key -> DynamicTest.dynamicTest(key, () -> {
                    String file = "driver: zfs-generic-nfs\n" + key.replace(".", ": {") + ": x"
                            + "}".repeat((int) key.chars().filter(c -> c == '.').count());
                    assertThat(read(file, rest).all().toString()).doesNotContain("unknown key");
                    assertThat(read(file.replace(": x", "z: x"), rest).all().toString())
                            .contains("unknown key");
                }));
    }

    private List<String> sharedKeys() {
        return SECTION.matcher(repository.text(SHARED))
                .results()
                .flatMap(section -> KEYS.matcher(section.group(2))
                        .results()
                        .flatMap(
                                cell -> Stream.of(cell.group(1).replace("`", "").split(", ", -1)))
                        .map(key -> key.startsWith("fairlead.") ? key : section.group(1) + "." + key))
                .toList();
    }
}
